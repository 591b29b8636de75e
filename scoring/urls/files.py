"""Addresses of files: lists and archives for organizers, bracket, records and archive for all."""

from django.urls import path

from scoring.views import data, public_files

C = "c/<str:code>/"
D = f"{C}manage/data/"

urlpatterns = [
    path("manage/import/", data.read_archive, name="competition_import"),
    path(D, data.show_data, name="manage_data"),
    path(f"{D}archive/", data.full_archive, name="manage_archive"),
    path(f"{D}public.zip", data.open_archive, name="manage_archive_public"),
    path(f"{D}<slug:name>.<slug:kind>", data.list_file, name="manage_data_list"),
    path(f"{C}event/<int:pk>/bracket.svg", public_files.show_svg, name="bracket_svg"),
    path(f"{C}hands.zpr", public_files.hands_file, {"kind": "zpr"}, name="hands_zpr"),
    path(f"{C}hands.jsonl", public_files.hands_file, {"kind": "jsonl"}, name="hands_jsonl"),
    path(f"{C}archive.zip", public_files.public_archive, name="public_archive"),
]
