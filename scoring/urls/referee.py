"""Addresses of referee's pages."""

from django.urls import URLPattern, path

from scoring.views.referee import (
    confirming,
    desk,
    hand,
    live,
    penalties,
    protests,
    recorder,
    records,
    sheet,
    verdicts,
)

TABLE = "c/<slug:code>/table/<int:pk>/sheet/"
HAND = f"{TABLE}hand/<int:number>/"

urlpatterns: list[URLPattern] = [
    path("c/<slug:code>/desk/", desk.desk, name="desk"),
    path("c/<slug:code>/round/<int:pk>/final/", desk.round_final, name="round_final"),
    path("c/<slug:code>/records/", records.records, name="records"),
    path("c/<slug:code>/records/<int:pk>/", records.records_job, name="records_job"),
    path(
        "c/<slug:code>/records/<int:pk>/change/",
        records.records_job_change,
        name="records_job_change",
    ),
    path(TABLE, sheet.sheet, name="sheet"),
    path(f"{TABLE}live/", live.live, name="sheet_live"),
    path(f"{TABLE}preview/", sheet.preview, name="sheet_preview"),
    path(f"{TABLE}submit/", sheet.submit, name="sheet_submit"),
    path(f"{TABLE}call/", sheet.call, name="sheet_call"),
    path(f"{TABLE}confirm/", confirming.confirm, name="sheet_confirm"),
    path(f"{TABLE}back/", confirming.back, name="sheet_back"),
    path(f"{TABLE}penalty/", penalties.penalty, name="penalty"),
    path(f"{TABLE}penalty/<int:penalty_id>/void/", penalties.penalty_void, name="penalty_void"),
    path(f"{TABLE}ruling/", verdicts.table_ruling, name="table_ruling"),
    path(f"{TABLE}ruling/<int:ruling_id>/drop/", verdicts.ruling_drop, name="ruling_drop"),
    path(f"{TABLE}protest/", protests.new_protest, name="protest"),
    path(f"{TABLE}protest/<int:protest_id>/", protests.protest_answer, name="protest_answer"),
    path(
        f"{TABLE}protest/<int:protest_id>/back/", protests.protest_withdraw, name="protest_withdraw"
    ),
    path(
        f"{TABLE}protest/<int:protest_id>/appeal/", protests.protest_appeal, name="protest_appeal"
    ),
    path(f"{TABLE}protest/<int:protest_id>/final/", protests.protest_final, name="protest_final"),
    path(f"{TABLE}recorder/", recorder.recorder, name="recorder"),
    path(f"{TABLE}recorder/<int:recording_id>/", recorder.recording, name="recording"),
    path(f"{TABLE}recorder/<int:recording_id>/save/", recorder.save, name="recording_save"),
    path(f"{TABLE}recorder/<int:recording_id>/away/", recorder.put_away, name="recording_away"),
    path(HAND, hand.hand, name="hand"),
    path(f"{HAND}correct/", hand.correct, name="hand_correct"),
    path(f"{HAND}void/", hand.void, name="hand_void"),
    path(f"{HAND}flag/", hand.flag, name="hand_flag"),
    path(f"{HAND}clear/", hand.clear, name="hand_clear"),
    path(f"{HAND}ruling/", verdicts.hand_ruling, name="hand_ruling"),
]
