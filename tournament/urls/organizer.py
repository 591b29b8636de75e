"""Addresses of organizer's pages."""

from django.urls import path

from tournament.views import draws
from tournament.views.organizer import draw, entrants, home, imports, people, private, settings

M = "c/<str:code>/manage/"

urlpatterns = [
    path("manage/", home.mine, name="manage_home"),
    path("manage/new/", home.new, name="competition_new"),
    path(M, home.manage, name="manage"),
    path(f"{M}publish/", home.publish, name="manage_publish"),
    path(f"{M}unpublish/", home.unpublish, name="manage_unpublish"),
    path(f"{M}settings/", settings.data, name="manage_settings"),
    path(f"{M}rules/", settings.rules, name="manage_rules"),
    path(f"{M}play/", settings.play, name="manage_play"),
    path(f"{M}regulation/", settings.regulation, name="manage_regulation"),
    path(f"{M}entrants/", entrants.listing, name="manage_entrants"),
    path(f"{M}entrants/paste/", entrants.paste, name="manage_entrants_paste"),
    path(f"{M}entrants/new/", entrants.add, name="manage_entrant_new"),
    path(f"{M}entrants/<int:pk>/", entrants.edit, name="manage_entrant"),
    path(f"{M}entrants/<int:pk>/leave/", entrants.leave, name="manage_entrant_leave"),
    path(f"{M}entrants/<int:pk>/back/", entrants.come_back, name="manage_entrant_back"),
    path(f"{M}entrants/<int:pk>/link/", entrants.entrant_link, name="manage_entrant_link"),
    path(f"{M}entrants/list.xlsx", imports.export, {"kind": "xlsx"}, name="manage_list_xlsx"),
    path(f"{M}entrants/list.csv", imports.export, {"kind": "csv"}, name="manage_list_csv"),
    path(f"{M}import/", imports.upload, name="manage_import"),
    path(f"{M}import/list.xlsx", imports.empty_list, {"kind": "xlsx"}, name="manage_import_xlsx"),
    path(f"{M}import/list.csv", imports.empty_list, {"kind": "csv"}, name="manage_import_csv"),
    path(f"{M}import/<int:pk>/", imports.preview, name="manage_import_preview"),
    path(f"{M}import/<int:pk>/columns/", imports.columns, name="manage_import_columns"),
    path(f"{M}import/<int:pk>/line/<int:line>/", imports.row, name="manage_import_row"),
    path(f"{M}import/<int:pk>/discard/", imports.discard, name="manage_import_discard"),
    path(f"{M}import/<int:pk>/undo/", imports.undo, name="manage_import_undo"),
    path(f"{M}entries/<int:pk>/phone/", private.phone, name="manage_phone"),
    path(f"{M}entries/<int:pk>/reading/", private.reading, name="manage_reading"),
    path(f"{M}entries/<int:pk>/check-in/", entrants.toggle_check_in, name="manage_check_in"),
    path(f"{M}draw/", draw.draw, name="manage_draw"),
    path(f"{M}draw/plan/", draw.plan, name="manage_draw_plan"),
    path(f"{M}draw/freeze/", draw.freeze, name="manage_draw_freeze"),
    path(f"{M}draw/unfreeze/", draw.unfreeze, name="manage_draw_unfreeze"),
    path(f"{M}draw/words/", draw.words, name="manage_draw_words"),
    path(f"{M}draw/publish/", draw.publish, name="manage_draw_publish"),
    path(f"{M}draw/changes/", draw.changes, name="manage_draw_changes"),
    path(f"{M}draw/apart/", draw.apart, name="manage_apart"),
    path(f"{M}draw/apart/<int:pk>/drop/", draw.drop_apart, name="manage_apart_drop"),
    path(f"{M}links/", people.links, name="manage_links"),
    path(f"{M}links/<int:pk>/revoke/", people.revoke, name="manage_link_revoke"),
    path(f"{M}links/round/<int:number>/", people.table_cards, name="manage_table_cards"),
    path(f"{M}members/", people.members, name="manage_members"),
    path(f"{M}members/<int:pk>/remove/", people.remove, name="manage_member_remove"),
    path("c/<str:code>/event/<int:pk>/draws/", draws.draws, name="draws"),
    path("c/<str:code>/draw/<int:pk>/draw.json", draws.document, name="draw_json"),
    path("verify-draw/", draws.check, name="verify_draw"),
]
