"""An archive becomes a competition of this site, whole or not at all (docs/archive.md)."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain.audit import SITE, audit
from core.domain.versions import bump
from core.errors import Conflict
from core.models import AuditRow, User
from core.models.audit import SALT_BYTES
from engine.errors import ZipaiError
from engine.rules import preset
from scoring.archive.ids import COLUMNS, audited, subject
from scoring.archive.package import BadArchive, unpack
from scoring.archive.parts import PARTS, USERS, Part
from scoring.archive.rows import LABEL, kind_of
from scoring.domain.boards import load_boards
from scoring.domain.closing import plan_finality
from scoring.domain.library import index_tables
from tournament.acting import Acting
from tournament.enums import Discipline, Role, State
from tournament.models import Competition, Membership, Round, Table
from tournament.models.competition import new_code
from tournament.permissions import demand

TOKENS = ("token_hash",)
UNUSABLE = (
    DatabaseError,
    ValidationError,
    ZipaiError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What content that no site has written makes of itself where it is read."""

Row = dict[str, Any]


class AlreadyHere(Conflict):
    """A competition with the archive's address is here already."""

    code = "archive-already-here"


def import_archive(*, user: User | None, file: BinaryIO, new_address: bool = False) -> Competition:
    """The competition of an archive with all that belongs to it; `user` becomes its owner.

    Without `user` nobody has a role in it (a site's administrator adds members). Where its address
    is taken, `new_address` gives it a new one. Accounts come as names that nobody can log in
    with, links and invitations open nothing. One transaction.

    Raises `BadArchive`, `AlreadyHere`.
    """
    document, records = unpack(file)
    parts: dict[str, list[Row]] = document["parts"]
    try:
        with transaction.atomic():
            competition = _Writer(parts, records, new_address=new_address).write()
            _given_to(user, competition)
    except UNUSABLE as error:
        raise BadArchive(_("档案里的内容自相矛盾，没有导入任何东西。")) from error
    return competition


@transaction.atomic
def note_export(*, acting: Acting, competition: Competition) -> None:
    """Notes who took the archive with personal data. The row is the site's, as the next archive
    should be the same."""
    demand(Role.OWNER in acting.roles, Role.OWNER)
    audit(actor=acting, action="competition.export", scope=SITE, subject=competition)


def _read_as_pages_do(competition: Competition) -> None:
    """Reads rules and every table, so that what pages could not show is refused. Raises one of
    `UNUSABLE`."""
    for event in competition.events.all():
        if event.discipline == Discipline.ZIPAI:
            preset(event.preset).with_options(event.options)
        for board in load_boards(event):
            assert all(isinstance(version.payload, dict) for version in board.versions)
            assert board.sums.played >= 0
            assert board.ranking.rows is not None
            assert set(board.ruled_places or ()) <= set(range(len(board.seats)))


def _given_to(user: User | None, competition: Competition) -> None:
    _read_as_pages_do(competition)
    if user is not None:
        Membership.objects.create(user=user, competition=competition, role=Role.OWNER)
    for round_ in Round.objects.filter(
        stage__event__competition=competition, is_last=True, state=State.CONFIRMED
    ).select_related("stage__event__competition"):
        plan_finality(round_)
    tables = Table.objects.filter(round__stage__event__competition=competition)
    index_tables(tables.order_by("pk").values_list("pk", flat=True))
    audit(
        actor=Actor(user_id=user.pk if user else None),
        action="competition.import",
        # What the archive tells of the competition stays as it was.
        scope=SITE,
        subject=competition,
    )
    bump(competition.scope, *(event.scope for event in competition.events.all()))


class _Writer:
    """Writes part after part; `pks` has kind → id in the archive → id here."""

    def __init__(
        self, parts: Mapping[str, list[Row]], records: Mapping[str, str], *, new_address: bool
    ) -> None:
        self.parts = parts
        self.records = dict(records)
        self.new_address = new_address
        self.pks: dict[str, dict[int, int]] = {}
        self.code = ""

    def write(self) -> Competition:
        strange = set(self.parts) - {USERS, *(part.name for part in PARTS)}
        if strange:
            raise _bad(sorted(strange)[0], "")
        if len(self.parts.get(PARTS[0].name, [])) != 1:
            raise _bad(PARTS[0].name, "id")
        self.code = self._address(self.parts[PARTS[0].name][0].get("code"))
        self._users()
        for part in PARTS:
            self._part(part)
        if self.records:
            raise BadArchive(
                _("档案里有不认识的文件：%(name)s。") % {"name": sorted(self.records)[0][:80]}
            )
        return Competition.objects.get(pk=self.pks["competition"][1])

    def _address(self, code: object) -> str:
        taken = Competition.objects.filter(code=str(code)).exists()
        if taken and not self.new_address:
            raise AlreadyHere(
                _("这里已经有地址是 %(code)s 的比赛。要再导入一份，请勾选“换一个新地址”。")
                % {"code": str(code)[:12]}
            )
        while taken:
            code = new_code()
            taken = Competition.objects.filter(code=code).exists()
        return str(code)

    def _users(self) -> None:
        """A name for each account that the archive tells of: nobody can log in with it."""
        made: dict[int, int] = {}
        for row in self.parts.get(USERS, []):
            label = row.get("label")
            if (
                set(row) != {"id", "label"}
                or not isinstance(label, str)
                or not 0 < len(label) <= LABEL
            ):
                raise _bad(USERS, "label")
            user = User(username=f"archive-{secrets.token_hex(12)}", display_name=label)
            user.is_active = False
            user.set_unusable_password()
            user.save()
            made[self._new_id(USERS, row, made)] = user.pk
        self.pks["user"] = made

    def _part(self, part: Part) -> None:
        made = self.pks.setdefault(part.kind, {})
        fields = part.fields(is_full=True)
        known = {"id", *(field.name for field in fields)}
        columns = [field for field in fields if not field.many_to_many]
        many = [field for field in fields if field.many_to_many]
        pairs: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for row in self.parts.get(part.name, []):
            unknown = set(row) - known
            if unknown:
                raise _bad(part.name, sorted(unknown)[0])
            number = self._new_id(part.name, row, made)
            made[number] = self._insert(part, columns, row)
            for field in many:
                for target in self._many(part, field, row.get(field.name, [])):
                    pairs[field.name].append((made[number], target))
        for field in many:
            _join(field, pairs[field.name])

    def _new_id(self, name: str, row: Row, made: Mapping[int, int]) -> int:
        """The row's own id: they are numbered from 1 in order."""
        number = row.get("id")
        if type(number) is not int or number != len(made) + 1:
            raise _bad(name, "id")
        return number

    def _insert(self, part: Part, fields: list[models.Field[Any, Any]], row: Row) -> int:
        new = part.model_class()
        for field in fields:
            if field.name in row:
                setattr(new, field.attname, self._value(part, field, row))
            elif getattr(field, "auto_now_add", False):
                setattr(new, field.attname, timezone.now())
            elif not (field.has_default() or field.null or field.empty_strings_allowed):
                raise _bad(part.name, field.name)
        for name in TOKENS:
            if hasattr(new, name):
                setattr(new, name, f"imported-{secrets.token_hex(24)}")
        if isinstance(new, Competition):
            new.code = self.code
        if isinstance(new, AuditRow):
            new.scope = Competition(pk=self.pks["competition"][1]).scope
        # As it is, without the times that a save would put in.
        new.save_base(raw=True, force_insert=True)
        pk: int = new.pk
        return pk

    def _many(self, part: Part, field: models.Field[Any, Any], value: object) -> list[int]:
        if not isinstance(value, list):
            raise _bad(part.name, field.name)
        found = [self._swap(kind_of(field), one) for one in value]
        if any(one is None or one < 0 for one in found):
            raise _bad(part.name, field.name)
        return [one for one in found if one is not None]

    def _value(self, part: Part, field: models.Field[Any, Any], row: Row) -> Any:
        value = row[field.name]
        try:
            if part.kind == "auditrow" and field.name in ("subject", "data", "said", "link_id"):
                return self._audited(field.name, row)
            if field.is_relation:
                found = self._swap(kind_of(field), value)
                # Only what the database does not watch over may name somebody who is gone.
                if found is not None and found < 0 and getattr(field, "db_constraint", True):
                    raise _bad(part.name, field.name)
            elif isinstance(field, models.JSONField):
                found = self._json(part, field, value, row)
            else:
                found = _plain(field, value)
        except BadArchive:
            raise
        except (ValidationError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise _bad(part.name, field.name) from error
        if found is None and not field.null:
            raise _bad(part.name, field.name)
        return found

    def _audited(self, name: str, row: Row) -> Any:
        value = row[name]
        if name == "link_id":
            return self._swap("devicelink", value)
        if name == "said":
            return _said(value)
        if name == "subject":
            return subject(_text(value, 64), self._swap)
        return audited(_text(row.get("action"), 40), value, self._swap)

    def _json(self, part: Part, field: models.Field[Any, Any], value: Any, row: Row) -> Any:
        change = COLUMNS.get(f"{part.model}.{field.name}")
        if change and value is not None:
            return change(value, self._swap)
        if part.name == "versions" and field.name == "payload":
            return self._record(value, row)
        return value

    def _record(self, payload: Row, row: Row) -> Row:
        """The payload of a record, whose text is a file of its own."""
        name = payload.get("file")
        if row.get("evidence") != "record" or name is None:
            return payload
        text = self.records.pop(name)
        return {**{key: value for key, value in payload.items() if key != "file"}, "text": text}

    def _swap(self, kind: str, number: int | None) -> int | None:
        """The id here; what is gone keeps the archive's negative id, which names nothing."""
        if number is None:
            return None
        if type(number) is not int:
            raise ValueError(number)
        return number if number < 0 else self.pks[kind][number]


def _join(field: models.Field[Any, Any], pairs: list[tuple[int, int]]) -> None:
    """Writes a column of many."""
    assert isinstance(field, models.ManyToManyField)
    through = field.remote_field.through
    assert through is not None
    own, other = field.m2m_field_name(), field.m2m_reverse_field_name()
    through._default_manager.bulk_create(
        through(**{f"{own}_id": pk, f"{other}_id": target}) for pk, target in pairs
    )


def _plain(field: models.Field[Any, Any], value: Any) -> Any:
    """A column's value from its JSON, checked as a form would. Raises `ValidationError`,
    `ValueError`, `TypeError`."""
    if value is None:
        return None
    most = _MOST.get(field.get_internal_type(), 2**31 - 1)
    parse = _TIMES.get(field.get_internal_type())
    found: Any
    if parse is not None:
        found = parse(_text(value, 40))
        if found is None or (isinstance(found, datetime) and found.tzinfo is None):
            raise ValueError(value)
    else:
        wanted: type = bool if isinstance(field, models.BooleanField) else int
        if isinstance(field, (models.CharField, models.TextField)):
            wanted = str
        if type(value) is not wanted:
            raise TypeError(value)
        found = value
    if isinstance(found, int) and not -most - 1 <= found <= most:
        raise ValueError(value)
    field.run_validators(found)
    if field.choices and found not in dict(field.flatchoices) and found not in field.empty_values:
        raise ValueError(value)
    return found


_TIMES: Mapping[str, Callable[[str], date | datetime | None]] = {
    "DateTimeField": parse_datetime,
    "DateField": parse_date,
}
_MOST = {"PositiveSmallIntegerField": 2**15 - 1, "BigIntegerField": 2**63 - 1}
"""What a column of whole numbers holds at most on every database; others hold 31 bits."""


def _said(value: object) -> dict[str, list[str]]:
    """What was typed: key → salt (hex) and text."""
    if not isinstance(value, dict):
        raise ValueError(value)
    for salt, text in value.values():
        if len(bytes.fromhex(_text(salt, 64))) != SALT_BYTES:
            raise ValueError(salt)
        _text(text, 400)
    return value


def _text(value: object, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(value)
    return value


def _bad(part: str, field: str) -> BadArchive:
    return BadArchive(
        _("档案里“%(part)s”的“%(field)s”不认识或不对，没有导入任何东西。")
        % {"part": part[:40], "field": field[:40]}
    )
