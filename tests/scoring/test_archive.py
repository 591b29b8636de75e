"""The archive (docs/archive.md): nothing is left out by oversight, nothing lost, same bytes."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from core.errors import DomainError
from core.models import AuditRow, User
from scoring.archive.ids import AUDIT, COLUMNS, NO_IDS, audited, subject
from scoring.archive.package import BadArchive, pack
from scoring.archive.parts import LEFT_OUT, PARTS
from scoring.domain.archives import AlreadyHere, import_archive
from scoring.exports.archive import CannotArchive
from scoring.models import Confirmation, HandVersion
from tests.scoring.archives import (
    WORLDS,
    changed,
    elsewhere,
    full,
    opened,
    run,
    with_state,
    zipped,
)
from tests.tournament.competitions import make, make_published
from tests.worlds import rows_digest
from tournament.domain.draws import freeze_draw
from tournament.models import Competition, DeviceLink, Entrant, Membership, Person, Seat

ROOT = Path(__file__).parents[2]
OURS = ("core", "tournament", "scoring")
NO_IDS_IN_AUDIT = {
    "added",
    "advance",
    "after",
    "after_final",
    "again",
    "amount",
    "amounts",
    "anew",
    "as_played",
    "at",
    "batch",
    "because",
    "before",
    "bytes",
    "can",
    "chief",
    "code",
    "days",
    "deltas",
    "digest",
    "discipline",
    "ended",
    "ended_at",
    "engine",
    "entrants",
    "evidence",
    "fields",
    "filler",
    "former",
    "from_hand",
    "going",
    "hands",
    "here",
    "is_another",
    "kind",
    "left",
    "level",
    "limit",
    "line",
    "lines",
    "list",
    "minutes",
    "moved",
    "name",
    "net",
    "number",
    "numbers",
    "order",
    "pairs",
    "people",
    "places",
    "position",
    "preset",
    "reason",
    "rejected",
    "request",
    "revision",
    "role",
    "scopes",
    "seating",
    "seats",
    "secret",
    "seed",
    "started",
    "starts",
    "state",
    "status",
    "table_size",
    "tables",
    "text",
    "units",
    "version",
    "was",
    "way",
    "word",
}
"""Keys of audit data that hold no id where `AUDIT` does not say so."""
NUMBERS_IN_AUDIT = {("draw.fall", "round")}
"""Keys that hold a number for one action alone."""


def _columns() -> dict[str, models.Field]:
    found = {}
    for app in OURS:
        for model in apps.get_app_config(app).get_models():
            for field in (*model._meta.concrete_fields, *model._meta.local_many_to_many):
                if not field.primary_key or field.is_relation:
                    found[f"{model._meta.label}.{field.name}"] = field
    return found


def test_every_column_is_kept_or_left_out_with_a_reason() -> None:
    """A model or column that appears must be put into `PARTS` or, with why, into `LEFT_OUT`."""
    kept = {
        f"{part.model}.{name.removeprefix('-')}" for part in PARTS for name in part.columns.split()
    }
    unknown = {
        name
        for name in _columns()
        if name not in kept and name not in LEFT_OUT and name.rpartition(".")[0] not in LEFT_OUT
    }
    assert unknown == set()
    assert not kept & set(LEFT_OUT)
    columns = set(_columns())
    assert kept <= columns
    whole = {name.rpartition(".")[0] for name in columns}
    assert all(name in columns | whole for name in LEFT_OUT)
    assert all(LEFT_OUT.values())


def test_every_json_column_says_whether_it_holds_ids() -> None:
    kept = {
        f"{part.model}.{name.removeprefix('-')}" for part in PARTS for name in part.columns.split()
    }
    as_json = {
        name
        for name, field in _columns().items()
        if name in kept and isinstance(field, models.JSONField) and name != "core.AuditRow.data"
    }  # fmt: skip
    assert as_json == set(COLUMNS) | NO_IDS
    assert not set(COLUMNS) & NO_IDS


def test_every_key_of_audit_data_says_whether_it_holds_an_id() -> None:
    """Every `audit(…, data={…})` of the site, by its action: a key that is in no list is new."""
    unknown = []
    for path in sorted(path for app in OURS for path in (ROOT / app).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "audit":
                continue
            given = {word.arg: word.value for word in call.keywords}
            data, action = given.get("data"), given.get("action")
            if not isinstance(data, ast.Dict):
                continue
            name = action.value if isinstance(action, ast.Constant) else ""
            keys = [key.value for key in data.keys if isinstance(key, ast.Constant)]
            unknown += [
                (path.name, name, key.value)
                for key, value in zip(data.keys, data.values, strict=True)
                if isinstance(key, ast.Constant)
                and key.value not in NO_IDS_IN_AUDIT
                and (name, key.value) not in NUMBERS_IN_AUDIT
                and not _is_renamed(str(name), str(key.value))
                and not isinstance(value, ast.Constant)
            ]
            assert len(keys) == len(set(keys))
    assert unknown == []


def _is_renamed(action: str, key: str) -> bool:
    """Whether the archive renames what stands under the key."""
    actions = [action] if action else list(AUDIT)
    for one in actions:
        for value in (7, [7], [[7, 7, 7]], {"7": 7}):
            try:
                if audited(one, {key: value}, lambda _kind, _pk: -1) != {key: value}:
                    return True
            except (ValueError, TypeError, AttributeError):
                continue
    return False


@pytest.mark.django_db
@pytest.mark.parametrize("world", WORLDS)
def test_imported_competition_gives_the_same_bytes(world: str, tmp_path: Path) -> None:
    """Export → import → export, and a plain script finds every table and the standings again."""
    competition = WORLDS[world]()
    data = full(competition)
    made = elsewhere(data)
    assert made.pk != competition.pk
    assert full(made) == data
    path = tmp_path / "archive.zip"
    path.write_bytes(data)
    done = run(path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.django_db
def test_other_kind_of_database_gives_the_same_bytes(tmp_path: Path) -> None:
    """This database → an empty SQLite one → this one again: PostgreSQL ↔ SQLite where the tests
    run on PostgreSQL."""
    data = full(with_state("final")())
    here, there = tmp_path / "here.zip", tmp_path / "there.zip"
    here.write_bytes(data)
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'other.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": "only-for-tests",
        "ALLOWED_HOSTS": "localhost",
    }
    code = opened(data)[0]["parts"]["competition"][0]["code"]
    for arguments in (
        ["migrate", "-v0"],
        ["competition", "import", here],
        ["competition", "export", code, there],
    ):
        done = subprocess.run(
            [sys.executable, "manage.py", *map(str, arguments)],
            cwd=ROOT, env=environment, check=False, timeout=300, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    assert there.read_bytes() == data
    assert full(elsewhere(there.read_bytes())) == data


@pytest.mark.django_db
def test_records_are_files_of_their_own_and_come_back(tmp_path: Path) -> None:
    competition = WORLDS["record"]()
    document, records = opened(full(competition))
    payloads = [row["payload"] for row in document["parts"]["versions"]]
    assert [one.get("file") for one in payloads] == [*sorted(records), None]
    assert sorted(records) == [
        "hands/stage-1-round-1/table-001-hand-01-v1.zpr",
        "hands/stage-1-round-1/table-001-hand-01-v2.zpr",
    ]
    made = elsewhere(full(competition))
    kept = HandVersion.objects.filter(
        hand__sheet__table__round__stage__event__competition=made, evidence="record"
    )
    assert [one.payload["text"] for one in kept.order_by("version")] == list(records.values())


@pytest.mark.django_db
def test_imported_rows_name_imported_rows_alone() -> None:
    """Ids inside JSON columns and audit rows too."""
    competition = with_state("final")()
    Seat.objects.filter(round__stage__event__competition=competition, position=0).update(
        stood_in=[Entrant.objects.filter(event__competition=competition).first().pk]
    )
    made = elsewhere(full(competition))
    here = set(Entrant.objects.filter(event__competition=made).values_list("pk", flat=True))
    seats = Seat.objects.filter(round__stage__event__competition=made)
    assert {pk for seat in seats for pk in seat.stood_in} <= here
    rows = AuditRow.objects.filter(scope=made.scope)
    assert rows.count() == AuditRow.objects.filter(scope=competition.scope).count()
    confirmed = rows.filter(action="table.confirm")
    assert confirmed.exists()
    assert {pk for row in confirmed for pk in row.data["advance"]} <= here
    hands = set(
        HandVersion.objects.filter(hand__sheet__table__round__stage__event__competition=made)
        .values_list("hand_id", flat=True)
    )  # fmt: skip
    subjects = {int(row.subject.split(":")[1]) for row in rows.filter(action="hand.enter")}
    assert subjects == hands


@pytest.mark.django_db
def test_what_was_removed_keeps_a_name_of_its_own() -> None:
    """An audit row about a link that is gone speaks of −1, of the same one everywhere."""
    competition = with_state("open")()
    link = DeviceLink.objects.filter(competition=competition, label="备用").get()
    link.delete()
    document, _records = opened(full(competition))
    about = [row for row in document["parts"]["audit"] if row["subject"] == "devicelink:-1"]
    assert [row["action"] for row in about] == ["link.issue"]
    assert subject("devicelink:-1", lambda _kind, pk: pk) == "devicelink:-1"
    data = full(competition)
    assert full(elsewhere(data)) == data


@pytest.mark.django_db
def test_account_that_is_gone_stays_the_same_nobody() -> None:
    """Audit rows keep its number, so the archive says −1 in each of them."""
    competition = with_state("submitted")()
    User.objects.get(username=f"{competition.code}-author").delete()
    data = full(competition)
    parts = opened(data)[0]["parts"]
    gone = {row["action"] for row in parts["audit"] if row["user"] == -1}
    assert {"hand.enter", "table.call-time", "protest.make"} <= gone
    assert full(elsewhere(data)) == data


@pytest.mark.django_db
def test_accounts_come_as_names_and_links_open_nothing() -> None:
    competition = with_state("submitted")()
    author = User.objects.get(username=f"{competition.code}-author")
    User.objects.filter(pk=author.pk).update(display_name="秦老师", password="secret-hash")
    data = full(competition)
    assert b"secret-hash" not in data
    assert not any("hash" in key for key in opened(data)[0]["parts"]["links"][0])
    made = elsewhere(data)
    version = HandVersion.objects.filter(
        hand__sheet__table__round__stage__event__competition=made, author__isnull=False
    ).first()
    assert version.author.name == "秦老师"
    assert version.author.pk != author.pk
    assert not version.author.is_active
    assert not version.author.has_usable_password()
    tokens = set(DeviceLink.objects.filter(competition=made).values_list("token_hash", flat=True))
    assert tokens
    assert all(token.startswith("imported-") for token in tokens)


@pytest.mark.django_db
def test_importer_owns_it_and_nothing_of_the_archive_changes() -> None:
    data = full(with_state("planned")())
    user = User.objects.create_user("importer")
    Competition.objects.update(code="elsewh")
    made = import_archive(user=user, file=io.BytesIO(data))
    assert Membership.objects.filter(competition=made, user=user).get().role == "owner"
    assert AuditRow.objects.get(action="competition.import").scope == "site"
    before, after = opened(data)[0]["parts"], opened(full(made))[0]["parts"]
    assert len(after["members"]) == len(before["members"]) + 1
    assert len(after["audit"]) == len(before["audit"])
    assert [after[name] == before[name] for name in ("people", "entries", "seats")] == [True] * 3


@pytest.mark.django_db
def test_second_import_is_refused_or_gets_a_new_address() -> None:
    competition = make(3).competition
    data = full(competition)
    before = rows_digest()
    with pytest.raises(AlreadyHere, match=competition.code):
        import_archive(user=None, file=io.BytesIO(data))
    assert rows_digest() == before
    other = elsewhere(data, new_address=True)
    assert other.code != competition.code
    assert other.entries.count() == 3


@pytest.mark.django_db
def test_erased_person_stays_erased() -> None:
    made = make(3)
    Person.objects.filter(entries__number=2).update(
        name="", reading="", erased_at="2026-12-01T00:00Z"
    )
    other = elsewhere(full(made.competition))
    person = Person.objects.get(entries__competition=other, entries__number=2)
    assert (person.name, person.erased_at is not None) == ("", True)


@pytest.mark.django_db
def test_secret_of_a_frozen_list_is_not_told() -> None:
    """C4.1: nobody may know it before the words."""
    made = make(9)
    freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(CannotArchive, match="冻结"):
        full(made.competition)


def _second_id(document: dict) -> None:
    document["parts"]["entries"][0]["id"] = 2


def _field(part: str, field: str, value: object):
    return lambda document: document["parts"][part][0].__setitem__(field, value)


BROKEN = {
    "unknown-field": _field("entries", "shoe_size", 43),
    "unknown-part": lambda document: document["parts"].__setitem__("shoes", []),
    "two-competitions": lambda document: document["parts"]["competition"].append({}),
    "gap-in-ids": _second_id,
    "wrong-type": _field("competition", "name", 7),
    "null": _field("competition", "name", None),
    "no-such-row": _field("entries", "person", 99),
    "negative-row": _field("entries", "person", -1),
    "bad-time": _field("entries", "created_at", "yesterday"),
    "naive-time": _field("entries", "created_at", "2026-12-05T04:00:00"),
    "bad-choice": _field("entries", "status", "sleeping"),
    "too-long": _field("competition", "name", "长" * 81),
    "too-big": _field("entries", "number", 10**12),
    "against-a-constraint": _field("stages", "advance", 3),
    "not-ids": lambda document: document["parts"]["seats"][0].__setitem__("stood_in", "x"),
    "missing": lambda document: document["parts"]["entries"][0].pop("competition"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", BROKEN)
def test_archive_that_contradicts_itself_writes_nothing(name: str) -> None:
    """Every digest fits, as whoever makes such a file can see to that."""
    data = changed(full(make_published(9).competition), BROKEN[name])
    Competition.objects.update(code="elsewh")
    before = rows_digest()
    with pytest.raises(BadArchive) as caught:
        import_archive(user=None, file=io.BytesIO(data))
    assert str(caught.value)
    assert rows_digest() == before


HANDS = {
    "no-such-option": _field("events", "options", {"dragons": True}),
    "no-such-rules": _field("events", "preset", "poker"),
    "payload-is-no-object": _field("versions", "payload", [1]),
    "winners-are-no-seats": _field("versions", "winners", [{}]),
    "melds-are-unknown": _field("versions", "computed", {"melds": [{"kind": "x", "cards": ""}]}),
    "places-are-no-places": lambda document: document["parts"]["rulings"][0].update(
        hand=None, places={"x": 1}, delta_1=0, delta_2=0, delta_3=0
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", HANDS)
def test_archive_whose_hands_no_page_could_show_writes_nothing(name: str) -> None:
    data = changed(full(with_state("confirmed")()), HANDS[name])
    Competition.objects.update(code="elsewh")
    before = rows_digest()
    with pytest.raises(BadArchive):
        import_archive(user=None, file=io.BytesIO(data))
    assert rows_digest() == before


@pytest.mark.django_db
def test_file_that_is_no_archive_is_refused_with_a_sentence() -> None:
    data = full(make(3).competition)
    document, records = opened(data)
    packed = zipped(competition_json="{}")
    other = pack({**document, "format": "zip"}, records)
    newer = pack({**document, "version": 2}, records)
    cut = data[: len(data) // 2]
    strange = io.BytesIO(data)
    with zipfile.ZipFile(strange, "a") as package:
        package.writestr("../evil", "x")
    for file, code in (
        (io.BytesIO(b"PK nonsense"), "bad-archive"),
        (io.BytesIO(cut), "bad-archive"),
        (packed, "bad-archive"),
        (io.BytesIO(other), "archive-format"),
        (io.BytesIO(newer), "archive-version"),
        (io.BytesIO(strange.getvalue()), "bad-archive"),
        (zipped(MANIFEST_json="[" * 100_000, competition_json="{}"), "bad-archive"),
        (zipped(MANIFEST_json="NaN", competition_json="{}"), "bad-archive"),
    ):
        with pytest.raises(DomainError) as caught:
            import_archive(user=None, file=file)
        assert caught.value.code == code, caught.value


@pytest.mark.django_db
def test_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = zipped(MANIFEST_json="{}", competition_json=b"0" * 65_000_000)
    assert len(bomb.getvalue()) < 100_000
    long = zipfile.ZipFile(many := io.BytesIO(), "w", zipfile.ZIP_DEFLATED)
    with long:
        long.writestr("hands/a.zpr", b"0" * 300_000)
    for file in (bomb, many):
        with pytest.raises(BadArchive) as caught:
            import_archive(user=None, file=file)
        assert caught.value.code == "archive-too-large"


@pytest.mark.django_db
def test_changed_content_is_found_by_its_digest(tmp_path: Path) -> None:
    """Whoever changes a hand without the digests is found out here and by the script."""
    data = full(with_state("final")())
    document, records = opened(data)
    document["parts"]["versions"][0]["total"] = 99
    path = tmp_path / "archive.zip"
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        manifest = package.read("MANIFEST.json")
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("MANIFEST.json", manifest)
        package.writestr("competition.json", json.dumps(document))
        for name, text in records.items():
            package.writestr(name, text)
    with path.open("rb") as file, pytest.raises(BadArchive, match="versions") as caught:
        import_archive(user=None, file=file)
    assert caught.value.code == "archive-digest"
    done = run(path)
    assert (done.returncode, "versions: digest" in done.stdout) == (1, True)


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["versions", "seats", "penalties", "results"])
def test_script_finds_what_does_not_follow_from_the_hands(part: str, tmp_path: Path) -> None:
    """All digests made to fit: a hand's points, a place, a penalty, the standings."""

    def change(document: dict) -> None:
        parts = document["parts"]
        if part == "versions":
            one = parts["versions"][0]
            one["delta_1"], one["delta_2"] = one["delta_1"] + 3, one["delta_2"] - 3
        elif part == "seats":
            first, second = [s for s in parts["seats"] if s["table"] == 1][:2]
            first["place"], second["place"] = second["place"], first["place"]
        elif part == "penalties":
            parts["penalties"][0]["deducted"] += 1
        else:
            rows = document["results"]["standings"][0]["rows"]
            rows[0]["entrant"], rows[1]["entrant"] = rows[1]["entrant"], rows[0]["entrant"]

    path = tmp_path / "archive.zip"
    path.write_bytes(changed(full(with_state("final")()), change))
    done = run(path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "不符 · differs" in done.stdout


@pytest.mark.django_db
def test_archive_takes_as_many_queries_for_81_entrants_as_for_9() -> None:
    counts = []
    for entrants in (9, 81):
        competition = make_published(entrants).competition
        with CaptureQueriesContext(connection) as seen:
            full(competition)
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 70


@pytest.mark.django_db
def test_confirmations_and_their_authors_come_along() -> None:
    competition = with_state("final")()
    made = elsewhere(full(competition))
    of = {"sheet__table__round__stage__event__competition": made}
    assert Confirmation.objects.filter(**of).count() == (
        Confirmation.objects.filter(
            sheet__table__round__stage__event__competition=competition
        ).count()
    )
