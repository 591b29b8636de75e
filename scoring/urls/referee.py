"""Addresses of referee's pages."""

from django.urls import URLPattern, path

from scoring.views.referee import confirming, desk, hand, records, sheet, verdicts

TABLE = "c/<slug:code>/table/<int:pk>/sheet/"
HAND = f"{TABLE}hand/<int:number>/"

urlpatterns: list[URLPattern] = [
    path("c/<slug:code>/desk/", desk.desk, name="desk"),
    path("c/<slug:code>/round/<int:pk>/final/", desk.round_final, name="round_final"),
    path("c/<slug:code>/records/", records.records, name="records"),
    path("c/<slug:code>/records/<int:pk>/", records.records_job, name="records_job"),
    path(TABLE, sheet.sheet, name="sheet"),
    path(f"{TABLE}preview/", sheet.preview, name="sheet_preview"),
    path(f"{TABLE}submit/", sheet.submit, name="sheet_submit"),
    path(f"{TABLE}call/", sheet.call, name="sheet_call"),
    path(f"{TABLE}confirm/", confirming.confirm, name="sheet_confirm"),
    path(f"{TABLE}back/", confirming.back, name="sheet_back"),
    path(f"{TABLE}penalty/", verdicts.penalty, name="penalty"),
    path(f"{TABLE}penalty/<int:penalty_id>/void/", verdicts.penalty_void, name="penalty_void"),
    path(f"{TABLE}ruling/", verdicts.table_ruling, name="table_ruling"),
    path(f"{TABLE}ruling/<int:ruling_id>/drop/", verdicts.ruling_drop, name="ruling_drop"),
    path(f"{TABLE}protest/", verdicts.new_protest, name="protest"),
    path(f"{TABLE}protest/<int:protest_id>/", verdicts.protest_answer, name="protest_answer"),
    path(HAND, hand.hand, name="hand"),
    path(f"{HAND}correct/", hand.correct, name="hand_correct"),
    path(f"{HAND}void/", hand.void, name="hand_void"),
    path(f"{HAND}flag/", hand.flag, name="hand_flag"),
    path(f"{HAND}clear/", hand.clear, name="hand_clear"),
    path(f"{HAND}ruling/", verdicts.hand_ruling, name="hand_ruling"),
]
