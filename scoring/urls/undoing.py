"""Addresses of what is taken back at a sheet, and of its history."""

from django.urls import path

from scoring.urls.referee import HAND, TABLE
from scoring.views.referee import history, protests, undoing

urlpatterns = [
    path(f"{TABLE}history/", history.sheet_history, name="sheet_history"),
    path(f"{TABLE}call/back/", undoing.uncall, name="sheet_uncall"),
    path(f"{TABLE}submit/back/", undoing.unsubmit, name="sheet_unsubmit"),
    path(f"{TABLE}confirm/back/", undoing.disagree, name="sheet_disagree"),
    path(f"{TABLE}reopen/", undoing.reopen, name="sheet_reopen"),
    path(f"{TABLE}protest/<int:protest_id>/reopen/", undoing.unanswer, name="protest_unanswer"),
    path(
        f"{TABLE}protest/<int:protest_id>/appeal/back/",
        protests.protest_unappeal,
        name="protest_unappeal",
    ),
    path(
        f"{TABLE}protest/<int:protest_id>/final/back/",
        protests.protest_unfinal,
        name="protest_unfinal",
    ),
    path(f"{HAND}restore/", undoing.restore, name="hand_restore"),
    path("c/<slug:code>/round/<int:pk>/unfinal/", undoing.round_unfinal, name="round_unfinal"),
]
