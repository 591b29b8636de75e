"""Seals over audit rows: one chain, and whatever is changed behind the site is found."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.actors import SYSTEM
from core.domain import jobs
from core.domain.audit import audit
from core.models import AuditRow
from tests.concurrency import at_once
from tests.tournament.competitions import Made, make, make_published, play, play_out, results
from tournament.domain.finality import finalize_round
from tournament.domain.seals import make_seal
from tournament.domain.tables import correct_table
from tournament.models import Seal
from tournament.queries.seals import first_fault, seals_of


def sealed() -> Made:
    """Nine entrants, two rounds and the end, each sealed when it was over."""
    made = make_published(9)
    for number in (1, 2):
        for table in made.tables(number):
            play(made, table)
        jobs.sweep()
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(is_last=True))
    jobs.sweep()
    return made


def rows_of(made: Made, number: int) -> list[AuditRow]:
    """The rows that a seal covers."""
    return list(AuditRow.objects.filter(scope=made.competition.scope, seal=number))


@pytest.mark.django_db
def test_each_round_and_the_end_get_a_seal_and_all_hold() -> None:
    made = sealed()
    seals = list(seals_of(made.competition))
    assert [(one.number, one.round and one.round.number, one.is_end) for one in seals] == [
        (1, 1, False),
        (2, 2, False),
        (3, None, True),
    ]
    assert [one.rows for one in seals] == [len(rows_of(made, n)) for n in (1, 2, 3)]
    assert sum(one.rows for one in seals) == AuditRow.objects.count()
    assert [row.action for row in rows_of(made, 3)] == ["round.final"]
    assert first_fault(made.competition) is None


@pytest.mark.django_db
def test_a_seal_is_the_sha256_that_the_documents_describe() -> None:
    made = make()
    make_seal(competition=made.competition)
    audit(
        actor=made.owner,
        action="a.b",
        scope=made.competition.scope,
        subject="x:1",
        data={"词": "舵", "b": [1, None]},
    )
    first, second = Seal.objects.get(), make_seal(competition=made.competition)
    (row,) = rows_of(made, 2)
    text = (
        f'{{"made_at":"{second.made_at.isoformat(timespec="microseconds")}","number":2,'
        f'"previous":"{first.digest}"}}\n'
        f'{{"action":"a.b","at":"{row.at.isoformat(timespec="microseconds")}",'
        f'"data":{{"b":[1,null],"词":"舵"}},"id":{row.pk},"link":null,"subject":"x:1",'
        f'"user":{made.owner.user_id}}}\n'
    )
    assert json.loads(text.splitlines()[1])["data"]["词"] == "舵"
    assert second.digest == hashlib.sha256(text.encode()).hexdigest()
    assert (second.rows, second.first, second.last) == (1, row.pk, row.pk)


@pytest.mark.django_db
def test_a_correction_after_the_last_round_is_sealed_by_the_next_seal() -> None:
    made = make_published(9)
    play_out(made)
    jobs.sweep()
    (final,) = made.tables(2)
    correct_table(acting=made.owner, table=final, results=results(final, 1))
    assert AuditRow.objects.filter(seal=None).get().action == "table.correct"
    jobs.sweep()
    assert not AuditRow.objects.filter(seal=None).exists()
    assert first_fault(made.competition) is None


@pytest.mark.django_db
def test_a_row_that_commits_late_is_in_the_next_seal() -> None:
    """Its id is lower than those sealed before it became visible."""
    made = make()
    late = AuditRow.objects.order_by("pk")[0]
    scope, late.scope = late.scope, "elsewhere"
    late.save()
    audit(actor=SYSTEM, action="a.b", scope=scope, subject="x:1")
    make_seal(competition=made.competition)
    late.scope = scope
    late.save()
    second = make_seal(competition=made.competition)
    assert (second.rows, second.first) == (1, late.pk)
    assert first_fault(made.competition) is None


@pytest.mark.django_db
def test_a_seal_takes_as_many_queries_for_thirty_rows_as_for_three() -> None:
    made = make()
    counts = []
    for rows in (3, 30):
        for _row in range(rows):
            audit(actor=SYSTEM, action="a.b", scope=made.competition.scope, subject="x:1")
        with CaptureQueriesContext(connection) as seen:
            make_seal(competition=made.competition)
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 8


@pytest.mark.django_db
def test_a_seal_holds_when_the_account_is_gone() -> None:
    made = make()
    row = audit(actor=made.owner, action="a.b", scope=made.competition.scope, subject="x:1")
    make_seal(competition=made.competition)
    user = row.user
    assert user is not None
    made.competition.memberships.all().delete()
    type(made.competition).objects.update(created_by=None)
    user.delete()
    row.refresh_from_db()
    assert row.user_id == made.owner.user_id
    assert first_fault(made.competition) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "number"),
    [
        ("changed", 2),
        ("deleted", 2),
        ("inserted", 2),
        ("dated back", 1),
        ("moved to another seal", 1),
        ("actor", 2),
        ("seal", 2),
        ("no seal", 2),
        ("last seal", 3),
        ("made anew", 3),
    ],
)
def test_what_is_changed_behind_the_site_is_found(wrong: str, number: int) -> None:
    made = sealed()
    scope, (first, row, *_more) = made.competition.scope, rows_of(made, 2)
    assert first.pk != row.pk
    one = AuditRow.objects.filter(pk=row.pk)
    seal = Seal.objects.get(number=2)
    if wrong == "changed":
        one.update(data={**row.data, "champion": 999})
    elif wrong == "deleted":
        one.delete()
    elif wrong == "inserted":
        AuditRow.objects.create(scope=scope, action="a.b", subject="x:1", seal=2)
    elif wrong == "dated back":
        new = AuditRow.objects.create(scope=scope, action="a.b", subject="x:1")
        at = Seal.objects.get(number=1).made_at - timedelta(hours=1)
        AuditRow.objects.filter(pk=new.pk).update(at=at)
    elif wrong == "moved to another seal":
        one.update(seal=1)
    elif wrong == "actor":
        one.update(user_id=None)
    elif wrong == "seal":
        Seal.objects.filter(pk=seal.pk).update(made_at=seal.made_at + timedelta(seconds=1))
    elif wrong == "no seal":
        seal.delete()
    elif wrong == "last seal":
        Seal.objects.get(number=3).delete()
    else:
        Seal.objects.filter(number__gte=2).delete()
        AuditRow.objects.filter(seal__gte=2).update(seal=None)
        one.update(action="a.b")
        make_seal(competition=made.competition)
        # All that is left to find it by is the digest that was printed.
        assert first_fault(made.competition) is None
        assert Seal.objects.get(number=2).digest != seal.digest
        return
    fault = first_fault(made.competition)
    assert fault is not None
    assert (fault.number, str(number) in fault.sentence) == (number, True)
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("verify_seals", made.competition.code, stdout=out)
    # `manage.py` prints the sentence and leaves with this status.
    assert (str(refused.value), refused.value.returncode) == (fault.sentence, 1)
    assert "封记都对得上" not in out.getvalue()
    assert len(out.getvalue().splitlines()) == Seal.objects.count()


@pytest.mark.django_db
def test_the_command_prints_the_seals_and_how_many_rows_have_none() -> None:
    made = sealed()
    audit(actor=SYSTEM, action="a.b", scope=made.competition.scope, subject="x:1")
    out = StringIO()
    call_command("verify_seals", made.competition.code, stdout=out)
    lines = out.getvalue().splitlines()
    assert [line.split()[-1] for line in lines[:3]] == list(
        Seal.objects.values_list("digest", flat=True)
    )
    assert lines[3] == "封记都对得上。还没有封的记录：1 条。"
    with pytest.raises(CommandError, match="没有比赛"):
        call_command("verify_seals", "nothing")


@pytest.mark.django_db(transaction=True)
def test_seals_made_at_once_stay_one_chain() -> None:
    made = make()
    found = at_once(4, lambda _index: make_seal(competition=made.competition))
    assert all(isinstance(one, Seal) for one in found), found
    assert list(Seal.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert first_fault(made.competition) is None
