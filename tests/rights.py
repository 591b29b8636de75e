"""Who gets what answer at which address: a list written from C7.2–C7.4.

It knows nothing of `tournament.permissions`. tests/test_rights.py asks every address of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from engine.rules import PRESETS
from tests.worlds import WIN, World
from tournament.forms.rules import RulesForm

ROLES = ".xSOGCRATtEe"
"""`.` nobody, `x` an account without a role, S an operator of the site, who has no role either, O
owner, G organizer, C chief referee, R referee, A the referee who entered table 1's hands, T table
1's link, t another's, E the link of an entrant at table 1, e another's."""
ACCOUNTS = "xSOGCRA"
ORGANIZERS, LEADERS, STAFF = "OG", "OGC", "OGCRA"
AT_TABLE = "OGCRATE"
TIMELESS = ("hidden", "submitted")
"""The states in which the addresses that no state changes are asked for."""
FEWER = {"hidden": ".xSOT", "planned": ".xSOGCRAEe"}
"""Before the draw there are no tables; a hidden draft differs from a draft for strangers only."""
DRAFTS = ("hidden", "planned", "drawn")
PLAYED = ("open", "submitted", "confirmed", "final")

Data = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """An address: who gets through its door, and what then answers.

    `get` and `post` are cells `state:letters`, `*` for every state; letters may be followed by
    `=status`. Who is through the door and in no cell gets 403. None: the method is refused.
    """

    door: str
    args: tuple[str, ...] = ()
    get: str | None = None
    post: str | None = None
    ok: int = 302
    data: Data | Callable[[World], Data] = field(default_factory=dict)
    needs: str = ""

    @property
    def is_timeless(self) -> bool:
        """Whether no state changes what it answers."""
        cells = f"{self.get or ''} {self.post or ''}".split()
        doors = ("sheet", "round", "public table", "public draw")
        return all(one.startswith("*") for one in cells) and self.door not in doors

    def answers(self, method: str) -> bool:
        """Whether the method is not refused to everybody."""
        return (self.get if method == "GET" else self.post) is not None


def manage(who: str, get: str | None = None, post: str | None = None, **more: Any) -> Row:
    """A page of the organizer for `who`."""
    return Row(f"manage {who}", get=get, post=post, **more)


def of_nothing(who: str, *args: str, get: bool = False) -> Row:
    """A page of the organizer about something that is not there."""
    cells = f"*:{who}"
    more = ("absent", *args)
    return manage(who, cells if get else None, cells, args=more, needs="nothing")


def public(*args: str, get: str = "*:" + ROLES) -> Row:
    """A page for everyone."""
    return Row("public", args, get=get)


def at_sheet(get: str | None, post: str | None, *args: str, **more: Any) -> Row:
    """A page of table 1's sheet."""
    return Row("sheet", ("table", *args), get=get, post=post, **more)


def of_round(post: str, *args: str, get: bool = False, **more: Any) -> Row:
    """A page of round 1 for referees and who leads."""
    seen = f"{NO_ROUND}*:{STAFF}" if get else None
    return Row(f"staff {STAFF}", ("first_round", *args), get=seen, post=NO_ROUND + post, **more)


def _swap(world: World) -> Data:
    """The numbers of two who sit at tables 2 and 3."""
    tables = world.made.tables(1)[1:]
    seats = [t.seats.select_related("entrant__entry").get(position=2) for t in tables]
    numbers = [seat.entrant.number for seat in seats if seat.entrant] or [1, 2]
    return {"first": numbers[0], "second": numbers[1], "shown": "1"}


ENTRY = {"evidence": "result", **WIN, "reason": "录像", "effects_shown": "1"}
LATE = {"reason": "录像", "effects_shown": "1"}
SEE = f"*:{AT_TABLE}"
ENTER = "published:CRAT open:CRAT submitted:C confirmed:C final:C"
PENALIZE = "drawn:C hidden:C published:CRA open:CRA submitted:CRA confirmed:C final:C"
FILL = "drawn:OGC=302 hidden:OGC=302 published:OGC=302"
"""A seat that nobody has won; where there is none, back to the sheet."""
FLAG = "published:CRAT open:CRAT submitted:C confirmed:C=409 final:C=409"
RULE = "open:C submitted:C confirmed:C final:C"
NO_SHEET = "drawn:C=404 hidden:C=404 published:C=404"
PROTEST = "open:RATE submitted:RATE confirmed:RATE"
OWN_PROTEST = "open:A submitted:A confirmed:A"
NO_ROUND = "planned:OGCRA=404 drawn:RA=404 hidden:RA=404 "
"""A round's pages for its referees: there is none, or it is a draft."""
BEFORE_DRAW = "planned:OG drawn:OG=400 hidden:OG=400 published:OG=400 open:OG=400 submitted:OG=400"
BEFORE_DRAW += " confirmed:OG=400 final:OG=400"

ARRANGED = "planned:OGC=404 drawn:OGC hidden:OGC published:OGC open:OGC=400 submitted:OGC=400"
ARRANGED += " confirmed:OGC=400 final:OGC=400"
"""What moves a table or batch that has not begun."""
UNFROZEN = "planned:C=404 drawn:C=404 hidden:C=404 published:C=404"


def rules_of(preset_id: str) -> Data:
    """A preset as the rules' form sends it."""
    return dict(RulesForm(preset_id=preset_id, options=PRESETS[preset_id].as_json()).initial)


OF_ACCOUNTS = re.compile(r"account|mfa_|usersessions_|login$|logout$|password_change")
"""They know no competition and no role: `tests/core` proves them."""

LIST: dict[str, Row] = {
    # Of everybody.
    "healthz": Row("open", get="*:" + ROLES),
    "readyz": Row("open", get="*:" + ROLES),
    "metrics": Row("open", get=f"*:{ROLES}=404"),
    "sheets_worker": Row("open", get="*:" + ROLES, ok=200),
    "language": Row("open", ("en",), get=f"*:{ROLES}=302"),
    "link": Row("open", ("token",), get=f"*:{ROLES}=302"),
    "invitation": Row("open", ("token",), get=f"*:{ROLES}=404", post=f"*:{ROLES}=404"),
    "verify_draw": Row("open", get="*:" + ROLES, post=f"*:{ROLES}=400", data={"text": ""}),
    "api": Row("open", get="*:" + ROLES),
    "openapi": Row("open", get="*:" + ROLES),
    "privacy": Row("open", get="*:" + ROLES),
    "api_root": Row("open", get=f"*:{ROLES}=404", post=f"*:{ROLES}=404"),
    "api_not_found": Row("open", ("nothing",), get=f"*:{ROLES}=404", post=f"*:{ROLES}=404"),
    "operator": Row("operator", get="*:S"),
    "operator_jobs": Row("operator", get="*:S"),
    "operator_jobs_again": Row("operator", post="*:S", data={"kind": "seal"}),
    "operator_job": Row("operator", ("job",), get="*:S"),
    "operator_job_again": Row("operator", ("job",), post="*:S"),
    "operator_job_cancel": Row("operator", ("job",), post="*:S"),
    "operator_backups": Row("operator", get="*:S", post="*:S"),
    "operator_backup": Row("operator", ("nothing.zip",), get="*:S=404"),
    "home": Row("open", get="*:" + ROLES),
    "robots": Row("open", get="*:" + ROLES),
    "sitemap": Row("open", get="*:" + ROLES),
    "calculator": Row("open", get="*:" + ROLES),
    "planner": Row("open", get="*:" + ROLES),
    "library": Row("open", get="*:" + ROLES),
    "library_statistics": Row("open", get="*:" + ROLES),
    "library_file": Row("open", get=f"*:{ROLES}=404"),
    "library_record": Row("open", ("absent",), get=f"*:{ROLES}=404"),
    "library_record_file": Row("open", ("absent",), get=f"*:{ROLES}=404"),
    "collections": Row("login", get="*:" + ACCOUNTS, post=f"*:{ACCOUNTS}=422"),
    "collection": Row("login", ("absent",), get=f"*:{ACCOUNTS}=404"),
    "collection_publish": Row("login", ("absent",), post=f"*:{ACCOUNTS}=404"),
    "collection_withdraw": Row("login", ("absent",), post=f"*:{ACCOUNTS}=404"),
    "collection_again": Row("login", ("absent",), post=f"*:{ACCOUNTS}=404"),
    "collection_remove": Row("login", ("absent",), post=f"*:{ACCOUNTS}=404"),
    "record_check": Row("open", get="*:" + ROLES, post=f"*:{ROLES}=422", data={"text": ""}),
    # Of spectators: a draft is not there, whoever asks.
    "competition": public(),
    "competition_live": public(),
    "entrants": public(),
    "bracket": public("event"),
    "field": Row("public", ("event", "2"), get="*:" + ROLES, needs="nothing"),
    "bracket_live": public("event"),
    "bracket_svg": public(
        "event", get=" ".join(f"{state}:{ROLES}=404" for state in DRAFTS) + f" *:{ROLES}"
    ),
    "hands_zpr": public(get=f"*:{ROLES}=404"),
    "hands_jsonl": public(get=f"*:{ROLES}=404"),
    "public_archive": public(get=f"*:{ROLES}=404"),
    "preliminary": Row("public", ("event",), get="*:" + ROLES, needs="nothing"),
    "preliminary_live": Row("public", ("event",), get="*:" + ROLES, needs="nothing"),
    "standings": public("event"),
    "standings_live": public("event"),
    "event_records": public("event"),
    "unit_ranking": public(),
    "unit_ranking_live": public(),
    "event_records_live": public("event"),
    "entrant": public("entrant"),
    "entrant_live": public("entrant"),
    "table": Row("public table", ("table",), get="*:" + ROLES),
    "table_live": Row("public table", ("table",), get="*:" + ROLES),
    "hand_record": Row("public table", ("table", "1"), get=f"*:{ROLES}=404"),
    "hand_questions": Row("public table", ("table", "1"), get="*:" + ROLES, needs="hand"),
    "replay": Row("public table", ("table", "1"), get="*:" + ROLES, needs="hand"),
    "replay_steps": Row("public table", ("table", "1"), get="*:" + ROLES, needs="hand"),
    "draws": public("event"),
    "draw_json": Row("public draw", ("draw",), get="*:" + ROLES),
    "schedule": public(),
    "schedule_live": public(),
    "calendar": public(),
    "entrant_calendar": public("entrant"),
    "register": Row("public", get="*:" + ROLES, post=f"*:{ROLES}=409"),
    # Of who has registered: by his own link alone.
    "my_entry": Row("own", ("own_entry",), get="*:E"),
    "my_entry_change": Row("own", ("own_entry",), get="*:E", post="*:E=400"),
    "my_entry_withdraw": Row(
        "own", ("own_entry",), get="*:E", post=BEFORE_DRAW.replace("OG", "E").replace("400", "409")
    ),
    "my_tables": Row("own", ("own_entry",), get="*:E"),
    "my_entry_data": Row("own", ("own_entry",), get="*:E"),
    "my_entry_erase": Row("own", ("own_entry",), get="*:E", post="*:E=400"),
    # Of accounts.
    "manage_home": Row("login", get="*:" + ACCOUNTS),
    "competition_new": Row(
        "login",
        get="*:" + ACCOUNTS,
        post="*:" + ACCOUNTS,
        data={"name": "秋季赛", "starts_on": "2026-12-12", "timezone": "Asia/Shanghai"},
    ),
    # Of organizers; C7.3's rows are draw, publish …, withdraw ….
    "manage": manage(LEADERS, "*:OGC"),
    "manage_publish": manage(ORGANIZERS, None, "*:OG"),
    "manage_unpublish": manage(
        ORGANIZERS,
        None,
        "planned:OG drawn:OG hidden:OG published:OG=409 open:OG=409 submitted:OG=409"
        " confirmed:OG=409 final:OG=409",
    ),
    "manage_settings": manage(
        ORGANIZERS,
        "*:OG",
        "*:OG",
        data={
            "name": "漓江杯",
            "starts_on": date(2026, 12, 6),
            "timezone": "Asia/Shanghai",
            "final_minutes": 20,
        },
    ),
    "manage_events": manage(
        ORGANIZERS,
        "*:OG",
        "*:OG",
        data={
            "name": "象棋",
            "discipline": "manual",
            "table_size": 2,
            "games": 3,
            "counted_by": "games",
            "prizes": 3,
        },
    ),
    "manage_events_limit": manage(ORGANIZERS, None, "*:OG", data={"limit": 2}),
    "manage_events_units": manage(ORGANIZERS, None, "*:OG=409"),
    "manage_event": manage(
        ORGANIZERS, "*:OG", "*:OG", args=("event",), data={"name": "字牌", "prizes": 3}
    ),
    "manage_event_move": manage(ORGANIZERS, None, "*:OG", args=("event",)),
    "manage_event_remove": manage(ORGANIZERS, None, "*:OG=409", args=("event",)),
    "manage_entry_events": manage(
        ORGANIZERS,
        "*:OG",
        "*:OG",
        args=("entry",),
        data=lambda world: {"events": [world.ids["event"]]},
    ),
    "manage_pairs": manage(ORGANIZERS, "*:OG=404", "*:OG=404"),
    "manage_rules": manage(ORGANIZERS, "*:OG", "*:OG=400", data={"preset": "competition"}),
    "competition_import": Row("login", get="*:" + ACCOUNTS, post=f"*:{ACCOUNTS}=400"),
    "manage_format_into": Row("login", get="*:" + ACCOUNTS),
    "manage_format": manage(ORGANIZERS, "*:OG", "*:OG=400", data={"hands": 0}),
    "manage_play": manage(ORGANIZERS, "*:OG", "*:OG=400", data={"hands": 0}),
    "manage_penalties": manage(ORGANIZERS, "*:OG", "*:OG=400"),
    "manage_regulation": manage(ORGANIZERS, "*:OG", "*:OG", data={"text": "第一条"}),
    "manage_entrants": manage(STAFF, "*:" + STAFF),
    "manage_entrants_paste": manage(ORGANIZERS, "*:OG", BEFORE_DRAW, data={"lines": "新一\t队"}),
    "manage_entrant_new": manage(ORGANIZERS, "*:OG", BEFORE_DRAW, data={"name": "新二"}),
    "manage_entrant": manage(
        ORGANIZERS,
        "*:OG",
        "*:OG",
        args=("elsewhere",),
        data=lambda world: {"name": "改一", "number": world.entry_number},
    ),
    "manage_entrant_leave": manage(
        LEADERS,
        "*:OGC",
        "planned:OGC drawn:OGC hidden:OGC published:OGC open:C submitted:C confirmed:OGC final:C",
        args=("leaver",),
        data={"status": "withdrawn", "shown": "1"},
    ),
    "manage_entrant_back": manage(
        LEADERS,
        "*:OGC",
        BEFORE_DRAW.replace("OG=400", "OGC=409").replace("planned:OG", "planned:OGC"),
        args=("gone",),
    ),
    "manage_entrant_replace": manage(
        LEADERS,
        "*:OGC",
        "planned:OGC drawn:OGC hidden:OGC published:OGC open:C submitted:C confirmed:OGC final:C",
        args=("leaver",),
        data={"name": "接替", "shown": "1"},
    ),
    "manage_entrant_replace_back": manage(
        LEADERS,
        None,
        "planned:OGC=409 drawn:OGC=409 hidden:OGC=409 published:OGC=409 open:C=409"
        " submitted:C=409 confirmed:OGC=409 final:C=409",
        args=("leaver",),
    ),
    "manage_entrant_fixed": manage(
        LEADERS, "*:OGC", "*:OGC", args=("elsewhere",), data={"fixed": "1"}
    ),
    "manage_entrant_link": manage(LEADERS, None, "*:OGC", args=("elsewhere",), ok=200),
    "manage_check_in": manage(STAFF, None, "*:" + STAFF, args=("entry",), data={"here": "1"}),
    "check_in": manage(STAFF, "*:" + STAFF, "*:" + STAFF, args=("entry",), data={"here": "1"}),
    "check_in_own": manage(STAFF, None, "*:" + STAFF, args=("entry",), data={"own": "x"}),
    "manage_arrivals": manage(
        STAFF, "*:" + STAFF, "*:" + STAFF, data={"who": "shown", "do": "here"}
    ),
    "manage_badges": manage(
        LEADERS, "*:OGC", "*:OGC", ok=200, data={"kind": "badge", "who": "shown", "only": "all"}
    ),
    "manage_numbers": manage(ORGANIZERS, "*:OG", "*:OG=400", data={"order": "gaps"}),
    "manage_seeds": manage(ORGANIZERS, "*:OG", BEFORE_DRAW, data={"number": "1"}),
    "manage_seeds_standing": manage(ORGANIZERS, "*:OG"),
    "manage_preliminary": manage(LEADERS, "*:OGC", needs="nothing"),
    "manage_seating": manage(LEADERS, "*:OGC", needs="nothing"),
    "manage_preliminary_close": manage(LEADERS, None, "*:OGC", needs="nothing"),
    "manage_preliminary_reopen": manage(LEADERS, None, "*:OGC", needs="nothing"),
    "manage_preliminary_tie": manage(LEADERS, None, "*:OGC", needs="nothing"),
    "manage_preliminary_no_tie": manage(LEADERS, None, "*:OGC", needs="nothing"),
    "manage_draw": manage(LEADERS, "*:OGC"),
    "manage_draw_plan": manage(
        ORGANIZERS,
        None,
        BEFORE_DRAW.replace("400", "409"),
        data={"size": "3-1", "way": "byes"},
    ),
    "manage_draw_freeze": manage(
        ORGANIZERS, None, "planned:OG drawn:OG hidden:OG published:OG", data={"reason": "重抽"}
    ),
    "manage_draw_unfreeze": manage(ORGANIZERS, None, "*:OG"),
    "manage_draw_words": manage(ORGANIZERS, None, "*:OG=409", data={"words": "红"}),
    "manage_backup": manage(ORGANIZERS, "*:OG=302", "*:OG"),
    "manage_draw_publish": manage(LEADERS, None, "drawn:OGC hidden:OGC published:OGC=409"),
    "manage_draw_changes": manage(
        LEADERS,
        "*:OGC",
        "planned:OGC=400 drawn:OGC hidden:OGC published:OGC open:C submitted:C",
        data=_swap,
    ),
    "manage_draw_change_undo": of_nothing(LEADERS),
    "manage_apart": manage(
        ORGANIZERS, "*:OG", BEFORE_DRAW, data={"name": "秦家", "numbers": "3 4"}
    ),
    "manage_apart_drop": manage(
        ORGANIZERS, None, BEFORE_DRAW.replace("400", "409"), args=("group",)
    ),
    "screen": public(),
    "screen_part": public("rota"),
    "manage_screen": manage(LEADERS, "*:OGC", "*:OGC", data={"bracket": "12"}),
    "manage_screen_ceremony": manage(
        LEADERS,
        None,
        "planned:OGC=400 drawn:OGC=400 hidden:OGC=400 *:OGC",
        data=lambda world: {"draw": world.ids["draw"], "step_seconds": "4"},
    ),
    "manage_screen_step": manage(LEADERS, None, "*:OGC=409", data={"move": "next"}),
    "manage_times": manage(LEADERS, "*:OGC", "*:OGC"),
    "manage_times_unpublish": manage(LEADERS, None, "*:OGC"),
    "manage_schedule": manage(LEADERS, "*:OGC"),
    "manage_schedule_propose": manage(LEADERS, None, "*:OGC"),
    "manage_schedule_publish": manage(LEADERS, None, "planned:OGC=400 *:OGC"),
    "manage_schedule_round": manage(LEADERS, "planned:OGC=404 *:OGC", args=("first_round",)),
    "manage_schedule_batch": manage(LEADERS, None, ARRANGED, args=("first_round", "1")),
    "manage_schedule_table": manage(LEADERS, None, ARRANGED, args=("table",), data={"batch": "1"}),
    "manage_schedule_paper": manage(LEADERS, "*:OGC"),
    "manage_schedule_versions": manage(LEADERS, "*:OGC"),
    "manage_schedule_version": of_nothing(LEADERS),
    "manage_venue": manage(LEADERS, "*:OGC", "*:OGC", data={"do": "each", "tables": "2"}),
    "manage_referees": manage(
        LEADERS,
        "*:OGC",
        "*:OGC",
        data=lambda world: {"do": "units", "pk": world.ids["member"], "units": "甲队"},
    ),
    "manage_links": manage(
        LEADERS, "*:OGC", "*:OGC", ok=200, data={"role": "referee", "label": "李裁判"}
    ),
    "manage_link_revoke": manage(LEADERS, None, "*:OGC", args=("link",)),
    "manage_table_cards": manage(
        LEADERS,
        None,
        "*:OGC",
        args=("1",),
        ok=200,
        data={"first": 1, "last": 3},
        needs="round",
    ),
    "manage_members": manage(
        ORGANIZERS,
        "*:OG",
        "*:OG",
        data=lambda world: {"username": f"{world.competition.code}-outsider", "role": "referee"},
    ),
    "manage_tokens": manage(
        STAFF,
        "*:" + STAFF,
        "*:" + STAFF,
        ok=200,
        data={"label": "签到机", "scopes": ["checkin"], "days": "7"},
    ),
    "manage_token_revoke": of_nothing(STAFF),
    "manage_invite": manage(
        ORGANIZERS,
        None,
        "*:OG",
        ok=200,
        data={"role": "referee", "label": "李裁判", "days": "7"},
    ),
    "manage_invitation_revoke": of_nothing(ORGANIZERS),
    "manage_member_remove": manage(ORGANIZERS, None, "*:OG", args=("member",)),
    "manage_import": manage(ORGANIZERS, "*:OG", "*:OG=400", data={"sheet": ""}),
    "manage_import_xlsx": manage(ORGANIZERS, "*:OG"),
    "manage_import_csv": manage(ORGANIZERS, "*:OG"),
    "manage_import_preview": of_nothing(ORGANIZERS, get=True),
    "manage_import_columns": of_nothing(ORGANIZERS),
    "manage_import_row": of_nothing(ORGANIZERS, "1", get=True),
    "manage_import_discard": of_nothing(ORGANIZERS),
    "manage_import_undo": of_nothing(ORGANIZERS),
    "manage_list_xlsx": manage(ORGANIZERS, "*:OG"),
    "manage_list_csv": manage(ORGANIZERS, "*:OG"),
    "manage_data": manage(ORGANIZERS, "*:OG"),
    "manage_audit": manage(LEADERS, "*:OGC"),
    "manage_books": manage(LEADERS, "*:OGC", "*:OGC", data={"kind": "programme"}),
    "manage_book": manage(LEADERS, "*:OGC", args=("absent",), needs="nothing"),
    "manage_book_pdf": manage(LEADERS, "*:OGC", args=("absent",), needs="nothing"),
    "manage_book_change": of_nothing(LEADERS),
    "manage_paper": manage(LEADERS, "planned:OGC=404 *:OGC", args=("first_round", "blank")),
    "manage_certificates": manage(LEADERS, "*:OGC", args=("event",)),
    "books": public(),
    "book": public("absent", get=f"*:{ROLES}=404"),
    "book_pdf": public("absent", get=f"*:{ROLES}=404"),
    "manage_data_list": manage(ORGANIZERS, "*:OG", args=("sheets", "csv")),
    "manage_archive": manage("O", None, "*:O", ok=200),
    "manage_archive_public": manage(ORGANIZERS, "*:OG=409"),
    "manage_phone": manage(ORGANIZERS, None, "*:OG", args=("entry",), ok=200),
    "manage_reading": manage(
        ORGANIZERS, "*:OG", "*:OG", args=("entry",), data={"reading": "gai yi"}
    ),
    "manage_registration": manage(ORGANIZERS, "*:OG", "*:OG=400", data={"opens_at": "?"}),
    "manage_entry": manage(ORGANIZERS, "*:OG", args=("entry",)),
    "manage_entry_confirm": manage(ORGANIZERS, None, "*:OG=409", args=("entry",)),
    "manage_entry_decline": manage(ORGANIZERS, None, "*:OG=409", args=("entry",)),
    "manage_entry_data": manage(ORGANIZERS, None, "*:OG", args=("entry",), ok=200),
    "manage_entry_erase": manage(ORGANIZERS, "*:OG", "*:OG=400", args=("entry",)),
    "manage_privacy": manage(ORGANIZERS, "*:OG", "*:OG", data={"keep_days": 90}),
    "manage_paid": manage(ORGANIZERS, None, "*:OG", args=("entry",)),
    "manage_announcements": manage(LEADERS, "*:OGC", "*:OGC=400", data={"title": ""}),
    "manage_announcement": of_nothing(LEADERS, get=True),
    "manage_announcement_withdraw": of_nothing(LEADERS),
    "manage_announcement_restore": of_nothing(LEADERS),
    # Of referees.
    "desk": Row(f"staff {STAFF}", get="*:" + STAFF),
    "protests": Row(f"staff {STAFF}", get="*:" + STAFF),
    "records": Row(
        f"staff {STAFF}",
        get="*:" + STAFF,
        post="*:" + STAFF,
        data=lambda _world: {"file": SimpleUploadedFile("a.zpr", "字牌谱 1\n".encode())},
    ),
    "records_job": Row(f"staff {STAFF}", ("job",), get="*:" + STAFF),
    "records_job_change": Row(
        f"staff {STAFF}", ("job",), post="*:" + LEADERS, data={"do": "cancel"}
    ),
    "rejudges": Row("staff C", get="*:C"),
    "rejudge_propose": Row(
        "staff C",
        ("event",),
        get=f"{UNFROZEN} open:C submitted:C confirmed:C final:C",
        post=f"{UNFROZEN} open:C=302 submitted:C=302 confirmed:C=302 final:C=302",
        data=lambda _world: rules_of("local"),
    ),
    "rejudge_engine": Row(
        "staff C",
        ("event",),
        post=f"{UNFROZEN} open:C=409 submitted:C=409 confirmed:C=409 final:C=409",
    ),
    "rejudge": Row("staff C", ("absent",), get="*:C=404"),
    "rejudge_apply": Row("staff C", ("absent",), post="*:C=404"),
    "rejudge_dismiss": Row("staff C", ("absent",), post="*:C=404"),
    "rejudge_again": Row("staff C", ("absent",), post="*:C=404"),
    "desk_live": Row(f"staff {STAFF}", get="*:" + STAFF),
    "round_clock": of_round(
        "drawn:OGC=422 hidden:OGC=422 confirmed:OGC=422 final:OGC=422 *:OGC",
        get=True,
        data={"minutes": 50},
    ),
    "clock_stop": of_round("*:OGC=409"),
    "clock_extra": of_round(
        "drawn:C=422 hidden:C=422 confirmed:CRA=422 final:CRA=422 *:CRA",
        data={"table": "all", "extra": 5, "reason": "停电"},
    ),
    "clock_extra_back": of_round("*:CRA", "extra", needs="extra"),
    "round_bell": of_round("*:C=409"),
    "round_bell_back": of_round("*:C=409"),
    "call_list": of_round(
        "drawn:OGC=409 hidden:OGC=409 confirmed:OGCRA=409 final:OGCRA=409 *:OGCRA",
        get=True,
        data=lambda world: {"away": world.ids["seat"]},
    ),
    "call_referee": at_sheet(
        "*:TE",
        "published:TE open:TE submitted:TE confirmed:TE final:TE=409",
        data={"kind": "cards"},
    ),
    "call_back": at_sheet(None, "*:TE"),
    "call_answer": Row("call", ("call",), post="*:CRA", needs="call"),
    "call_reopen": Row("call", ("call",), post="*:CRA", needs="call"),
    "round_final": Row(
        "round",
        ("round",),
        post="drawn:C=409 hidden:C=409 published:C=409 open:C=409 submitted:C=409"
        " confirmed:C=409 final:C",
    ),
    # Of a sheet; C7.3's rows are enter or correct, submit …, confirm …, penalty, protest, ruling.
    "sheet": at_sheet(SEE, ENTER, data=ENTRY),
    "sheet_live": at_sheet(SEE, None),
    "sheet_preview": at_sheet(None, SEE, data=ENTRY, ok=200),
    "sheet_submit": at_sheet(None, "open:CRAT submitted:CRAT=409"),
    "sheet_call": at_sheet(None, "open:CRAT submitted:CRAT"),
    "sheet_confirm": at_sheet(
        SEE,
        "submitted:CTE",
        data=lambda world: {"digest": world.digest_of_sheet(), "position": "0"},
    ),
    "sheet_back": at_sheet(None, "submitted:CTE", data={"word": "第二局反了"}),
    "penalty": at_sheet(
        PENALIZE,
        PENALIZE,
        data={"position": 1, "kind": "deduction", "amount": 1, **LATE},
    ),
    "penalty_void": at_sheet(None, PENALIZE, "penalty", data=LATE, needs="penalty"),
    "sheet_late": at_sheet(
        PENALIZE, PENALIZE, data={"position": 1, "minutes": 5, "shown": "1", **LATE}
    ),
    "sheet_seats": at_sheet(
        ENTER,
        ENTER.replace("published:CRAT", "published:CRAT=422"),
        data={
            "first": 1,
            "last": 2,
            "seat_0": 1,
            "seat_1": 0,
            "seat_2": 2,
            "shown": "1",
            "as_played": "1",
            **LATE,
        },
    ),
    "sheet_fill": at_sheet(FILL, FILL),
    "sheet_walkover": at_sheet(
        "drawn:C hidden:C published:C open:C submitted:C confirmed:C final:C",
        "drawn:C=409 hidden:C=409 published:C=409 open:C=409 submitted:C=409 confirmed:C=409"
        " final:C=409",
        data={"reason": "对手都退赛了"},
    ),
    "sheet_fill_back": at_sheet(None, FILL.replace("=302", "=409"), data={"position": "0"}),
    "table_ruling": at_sheet(RULE, RULE, data={"place_0": 1, "place_1": 2, "place_2": 3, **LATE}),
    "ruling_drop": at_sheet(None, RULE, "ruling", data=LATE, needs="ruling"),
    "protest": at_sheet(PROTEST, PROTEST, data={"text": "看录像"}),
    "protest_answer": at_sheet(
        RULE, RULE, "protest", data={"state": "rejected", "answer": "没错"}, needs="protest"
    ),
    "recorder": at_sheet(ENTER, ENTER, data={"number": 3, "dealer": "0"}),
    "recording": at_sheet(
        ENTER, ENTER, "recording", data={"seen": "0", "do": "发 甲 一"}, needs="recording"
    ),
    "recording_save": at_sheet(
        None,
        "published:CRAT=409 open:CRAT=409 submitted:C=409 confirmed:C=409 final:C=409",
        "recording",
        data={"seen": "0"},
        needs="recording",
    ),
    "recording_away": at_sheet(None, ENTER, "recording", needs="recording"),
    # Of a protest: A made it, the chief referee answers it, and nobody has yet.
    "protest_withdraw": at_sheet(None, OWN_PROTEST, "protest", needs="protest"),
    "protest_appeal": at_sheet(
        OWN_PROTEST,
        OWN_PROTEST.replace("A", "A=409"),
        "protest",
        data={"text": "不服"},
        needs="protest",
    ),
    "protest_final": at_sheet(
        RULE,
        RULE.replace("C", "C=409"),
        "protest",
        data={"state": "rejected", "answer": "没错"},
        needs="protest",
    ),
    # C9.5: what is taken back, each refused where there is nothing to take back.
    "sheet_history": at_sheet(SEE, None),
    "sheet_uncall": at_sheet(None, "open:CRAT submitted:CRAT=409"),
    "sheet_unsubmit": at_sheet(None, "open:C=409 submitted:CA"),
    "sheet_disagree": at_sheet(None, "submitted:CTE=409", data={"position": "0"}),
    "sheet_reopen": at_sheet(
        f"{NO_SHEET} open:C submitted:C confirmed:C final:C",
        f"{NO_SHEET} open:C=409 submitted:C=409 confirmed:C final:C=409",
        data={"reason": "看错"},
    ),
    "protest_unanswer": at_sheet(None, RULE.replace(":C", ":C=409"), "protest", needs="protest"),
    "protest_unappeal": at_sheet(
        None, OWN_PROTEST.replace("A", "A=409"), "protest", needs="protest"
    ),
    "protest_unfinal": at_sheet(None, RULE.replace(":C", ":C=409"), "protest", needs="protest"),
    "hand_restore": at_sheet(
        None,
        "published:CRAT open:CRAT=409 submitted:C=409 confirmed:C=409 final:C=400",
        "1",
        data={"version": "1", "effects_shown": "1"},
        needs="hand",
    ),
    "round_unfinal": Row(
        "round",
        ("round",),
        post="drawn:C=409 hidden:C=409 published:C=409 open:C=409 submitted:C=409"
        " confirmed:C=409 final:C=409",
    ),
    "hand": at_sheet(SEE, None, "1", needs="hand"),
    "hand_correct": at_sheet(ENTER, ENTER, "1", data=ENTRY, needs="hand"),
    "hand_void": at_sheet(None, ENTER, "1", data=LATE, needs="hand"),
    "hand_flag": at_sheet(None, FLAG, "1", data=LATE, needs="hand"),
    "hand_clear": at_sheet(
        None, FLAG.replace("al:C=409", "al:C=400"), "1", data=LATE, needs="hand"
    ),
    "hand_ruling": at_sheet(
        RULE, RULE, "1", data={"delta_0": 4, "delta_1": -2, "delta_2": -2, **LATE}, needs="hand"
    ),
}
