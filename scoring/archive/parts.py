"""What of the database an archive holds, column by column, and what it leaves out, each with why.

A column that stands in neither list fails a test, so that nothing is ever left out by oversight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q

FORMAT = "duozhu-competition"
VERSION = 1


@dataclass(frozen=True)
class Part:
    """The rows of one model that belong to a competition, in the order in which they were made.

    `path` are the look-ups that lead to the competition; `columns` its columns, those after `-`
    only in the archive with personal data, which alone has a part that is not `is_public`.
    `shown` says which of its rows the public archive has.
    """

    name: str
    model: str
    path: tuple[str, ...]
    columns: str
    is_public: bool = True
    shown: Q | None = None

    @cached_property
    def model_class(self) -> type[models.Model]:
        """The model."""
        return apps.get_model(self.model)

    @property
    def kind(self) -> str:
        """What audit rows call such a row."""
        return str(self.model_class._meta.model_name)

    def fields(self, *, is_full: bool) -> list[models.Field[Any, Any]]:
        """Its columns in the order of the list."""
        names = [name for name in self.columns.split() if is_full or not name.startswith("-")]
        found = [self.model_class._meta.get_field(name.removeprefix("-")) for name in names]
        return [field for field in found if isinstance(field, models.Field)]


_ROUND = "stage__event__competition"
_TABLE = f"round__{_ROUND}"
_SHEET = f"sheet__table__{_TABLE}"
_HERE = Q(status="confirmed") | Q(entrants__seats__isnull=False) | Q(partnered__seats__isnull=False)
DELTAS = "delta_1 delta_2 delta_3 delta_4"
WRITTEN = "-author -link created_at"

PARTS = (
    Part(
        "competition", "tournament.Competition", ("pk",),
        "code name starts_on ends_on place about timezone mask_names -capacity final_minutes"
        " -events_limit -tables_each published_at ended_at -created_by -created_at",
    ),
    Part(
        "regulations", "tournament.Regulation", ("competition",),
        "competition version text -author created_at",
    ),
    Part(
        "members", "tournament.Membership", ("competition",),
        "user competition role units created_at", is_public=False,
    ),
    Part(
        "away", "tournament.RefereeAway", ("referee__competition",),
        "referee begins_at ends_at", is_public=False,
    ),
    Part(
        "events", "tournament.Event", ("competition",),
        "competition name position discipline preset options rules_digest frozen_at prizes games"
        " counted_by is_pairs",
    ),
    Part(
        "stages", "tournament.Stage", ("event__competition",),
        "event kind table_size advance style way hands final_hands minutes confirmation dealer"
        " extra_hands lateness round_count cut closed_at first_two third_table",
    ),
    Part(
        "people", "tournament.Person",
        ("entries__competition", "entries_given_up__competition"),
        "name -reading -phone -mail -birth_year -note erased_at",
        shown=Q(entries__status="confirmed")
        | Q(entries__entrants__seats__isnull=False)
        | Q(entries__partnered__seats__isnull=False),
    ),
    Part(
        "entries", "tournament.Entry", ("competition",),
        "competition person -person_before number unit status -checked_in_at -needs_fixed_table"
        " -paid -moved_up_at -badge_printed_at -wants -created_at",
        shown=_HERE,
    ),
    Part("consents", "tournament.Consent", ("entry__competition",), "entry text given_at",
         is_public=False),
    Part(
        "registration", "tournament.Registration", ("competition",),
        "competition is_on opens_at closes_at auto_confirm ask_unit ask_phone ask_mail"
        " ask_birth_year ask_note consent fee", is_public=False,
    ),
    Part("apart", "tournament.ApartGroup", ("competition",), "competition name entries",
         is_public=False),
    Part(
        "entrants", "tournament.Entrant", ("event__competition",),
        "event entry status seed prelim_rank partner",
        shown=Q(entry__status="confirmed") | Q(seats__isnull=False),
    ),
    Part(
        "rooms", "tournament.Room", ("competition",),
        "competition name position first_place places is_step_free", is_public=False,
    ),
    Part(
        "sessions", "tournament.Session", ("competition",),
        "competition name begins_at ends_at", is_public=False,
    ),
    Part(
        "draws", "tournament.Draw", ("stage__event__competition",),
        "stage round_number number lines -salt list_digest secret secret_hash words seed plan log"
        " result -absent reason frozen_at drawn_at published_at",
    ),
    Part(
        "screen", "tournament.ScreenSettings", ("competition",),
        "competition parts pinned draw step step_seconds auto_since", is_public=False,
    ),
    Part(
        "rounds", "tournament.Round", (_ROUND,),
        "stage number name state advance hands minutes is_last is_tie_break -starts_at"
        " public_starts_at -session clock_started_at published_at confirmed_at final_at",
    ),
    Part("batches", "tournament.Batch", (_TABLE,), "round number session starts_at",
         is_public=False),
    Part(
        "tables", "tournament.Table", (_TABLE,),
        "round number label seat_count first_dealer zone is_third -batch -room -place -referee"
        " public_starts_at public_room public_place -public_referee state started_at called_at"
        " confirmed_at final_at",
    ),
    Part(
        "seats", "tournament.Seat", (_TABLE,),
        "table round position entrant is_filler source source_place place advances points"
        " sat_in_from forfeits stands_for stood_in gap_filled",
    ),
    Part(
        "links", "tournament.DeviceLink", ("competition",),
        "competition role table entrant entry label created_by created_at expires_at revoked_at",
        is_public=False,
    ),
    Part(
        "invitations", "tournament.Invitation", ("competition",),
        "competition role label created_by created_at expires_at revoked_at used_at used_by",
        is_public=False,
    ),
    Part(
        "extra_times", "tournament.ExtraTime", (f"table__{_TABLE}",),
        "table minutes reason author link created_at voided_at", is_public=False,
    ),
    Part(
        "calls", "tournament.Call", (f"table__{_TABLE}",),
        "table kind text author link called_at answered_at answered_by answered_link",
        is_public=False,
    ),
    Part(
        "attendances", "tournament.Attendance", (_TABLE,),
        "round entrant absent_at seated_at", is_public=False,
    ),
    Part(
        "announcements", "tournament.Announcement", ("competition",),
        "competition title text is_public for_entrants on_screen publish_at withdrawn_at"
        " edited_at author created_at", is_public=False,
    ),
    Part(
        "schedules", "tournament.SchedulePublication", ("competition",),
        "competition number snapshot note again published_at published_by withdrawn_at",
        is_public=False,
    ),
    Part(
        "sheets", "scoring.Sheet", (f"table__{_TABLE}",),
        "table state hands_planned submitted_at confirmed_at final_at -sent_back_word",
    ),
    Part("tie_breaks", "scoring.TieBreak", (_SHEET,), "sheet line tied order"),
    Part("hands", "scoring.Hand", (_SHEET,), "sheet number tie_break"),
    Part(
        "versions", "scoring.HandVersion", (f"hand__{_SHEET}",),
        f"hand version is_current is_void is_flagged evidence payload computed {DELTAS} dealer"
        " winners source special payer hu xing total engine_version rules_digest -reason"
        f" -is_after_final {WRITTEN}",
        shown=Q(is_current=True),
    ),
    Part(
        "recordings", "scoring.Recording", (_SHEET,),
        "sheet number dealer cards steps is_dealing revision last updated_at done_at version"
        " author link created_at", is_public=False,
    ),
    Part(
        "confirmations", "scoring.Confirmation", (_SHEET,),
        "sheet position is_current digest author link created_at", is_public=False,
    ),
    Part(
        "penalties", "scoring.Penalty", (_SHEET,),
        f"sheet hand position level kind stop_from stop_hands deducted {DELTAS} code reason"
        f" voided_at {WRITTEN}",
    ),
    Part(
        "rulings", "scoring.Ruling", (_SHEET,),
        f"sheet hand {DELTAS} places reason is_current {WRITTEN}",
    ),
    Part(
        "protests", "scoring.Protest", (_SHEET,),
        "sheet about hand penalty position text state is_upheld answer answered_at ruling appeal"
        " appealed_at final_answer final_by final_at author link created_at", is_public=False,
    ),
    Part("verdict_settings", "scoring.VerdictSettings", ("competition",),
         "competition amounts committee", is_public=False),
    Part(
        "rejudges", "scoring.Rejudge", ("event__competition",),
        "event state preset options rules_digest before_preset before_options before_digest"
        " engine_version stamp summary reason decided_by decided_at author link created_at",
        is_public=False,
    ),
    Part(
        "rejudged_tables", "scoring.RejudgedTable", ("rejudge__event__competition",),
        "rejudge table nets_before nets_after effects has_tie", is_public=False,
    ),
    Part(
        "rejudged_hands", "scoring.RejudgedHand", ("at__rejudge__event__competition",),
        "at version after sentence_zh sentence_en made", is_public=False,
    ),
    Part(
        "audit", "core.AuditRow", ("scope",),
        "at user link_id action subject data said", is_public=False,
    ),
)  # fmt: skip
"""In the order in which an import writes them: no row names a later one but for the audit rows'."""

USERS = "users"
"""The part of the accounts that others name: a label each, never an account."""

_KEPT = "how long a site keeps people's data is its own promise to them"

LEFT_OUT = {
    "core.User": "an account is of its site: a name to show is kept, in the part `users`",
    "core.Attempts": "wrong passwords, of the site",
    "core.IdempotencyKey": "answers to requests of phones, good for the site alone",
    "core.Job": "work of the site in the background",
    "core.Schedule": "when the site's regular work is due",
    "core.Version": "counters by which the site knows what to render again",
    "core.AuditRow.scope": "it is the competition",
    "core.AuditRow.seal": "seals hold for the rows as this site has numbered them",
    "tournament.Seal": "it holds for the rows as this site has numbered them",
    "tournament.Competition.keep_days": _KEPT,
    "tournament.Competition.results_on": _KEPT,
    "tournament.Competition.keep_until": _KEPT,
    "tournament.Competition.told_on": _KEPT,
    "tournament.Competition.purged_at": _KEPT,
    "tournament.Person.user": "an account is of its site",
    "tournament.Registration.turned_at": "up to when this site's pages know of its window",
    "tournament.DeviceLink.token_hash": "a way in; an imported link opens nothing",
    "tournament.Invitation.token_hash": "a way in; an imported invitation opens nothing",
    "tournament.ApiToken": "a way in for programs",
    "tournament.ImportBatch": "what an import could still undo, sealed with the site's own key",
    "scoring.BookEdition": "what was printed, with names in it: the archive has its sources",
    "scoring.Collection": "what an account has uploaded, of no competition",
    "scoring.UploadedRecord": "what an account has uploaded, of no competition",
    "scoring.LibraryHand": "repeats what stands in the versions, and is made again from them",
    "scoring.Editing": "who has a sheet open just now",
    "scoring.Rejudge.job": "work of the site in the background",
}
"""Models and columns that no archive has, each with the reason."""


def part_of(name: str) -> Part:
    """The part of this name. Raises `KeyError`."""
    return _BY_NAME[name]


_BY_NAME = {part.name: part for part in PARTS}
