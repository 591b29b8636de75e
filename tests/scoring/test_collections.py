"""Collections of the 牌谱库: uploaded, found once published, each record once, removed."""

from __future__ import annotations

import io
import os
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.errors import Conflict, DomainError
from core.models import Job, User
from engine.files import parse
from engine.portions import portions
from scoring import queries_library as queries
from scoring.domain import collections, kept_records, uploads
from scoring.domain.collections import (
    publish_collection,
    remove_collection,
    upload_collection,
    withdraw_collection,
)
from scoring.domain.own_account import close_account
from scoring.meld_bits import bits_named
from scoring.models import Collection, LibraryHand, UploadedRecord
from scoring.queries_library import Asked
from tests.factories import make_user
from tests.scoring.public_pages import page, stranger
from tests.scoring.records import result_of, texts
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

FOLDER = Path(os.environ.get("ZIPAI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Settings) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def collected(user: User, *records: str, name: str = "老王的谱") -> Collection:
    """A collection of these records, verified."""
    made = upload_collection(user=user, name=name, file=io.BytesIO("\n".join(records).encode()))
    assert jobs.sweep() == 1
    made.refresh_from_db()
    assert made.job is not None
    assert made.job.state == JobState.DONE, made.job.last_error
    return made


def told(made: Collection) -> dict[str, Any]:
    """What its job found."""
    assert made.job is not None
    assert made.job.result is not None
    result: dict[str, Any] = made.job.result
    return result


def found(**asked: object) -> list[str]:
    """The text of what everybody finds, newest first."""
    open_ = queries.open_to_all()
    rows = queries.hands(open_, Asked(**asked))  # type: ignore[arg-type]
    return list(rows.values_list("record__text", flat=True))


def login(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_collection_is_found_from_publication_to_withdrawal() -> None:
    user = make_user()
    made = collected(user, *texts(3))
    assert (made.records.count(), found()) == (3, [])
    publish_collection(user=user, collection=made)
    assert found() == list(reversed(texts(3)))
    assert found(collection=made.pk, rules="competition") == list(reversed(texts(3)))
    assert found(rules="local") == []
    withdraw_collection(user=user, collection=made)
    assert found() == []
    remove_collection(user=user, collection=made)
    assert (Collection.objects.count(), LibraryHand.objects.count()) == (0, 0)


def test_faulty_and_repeated_records_are_not_kept_and_are_told() -> None:
    good = texts(4)
    wrong = good[0].replace("甲 打", "甲 摸", 1)
    made = collected(make_user(), good[0], wrong, good[1], good[0])
    result = told(made)
    assert (result["hands"], result["statuses"]) == (4, {"valid": 3, "invalid": 1})
    assert (result["kept"], result["twice"], result["over"]) == (2, 1, 0)
    assert [fault["hand"] for fault in result["faults"]] == [2]
    assert list(made.records.values_list("number", flat=True)) == [1, 3]


def test_names_are_not_kept() -> None:
    text = texts(1)[0].replace("庄:", "裁判: 秘裁判\n甲: 张一\n庄:", 1)
    assert "张一" in text
    made = collected(make_user(), text)
    assert [record.text for record in made.records.all()] == [texts(1)[0]]


def test_same_record_is_public_once_and_comes_back_with_another_collection() -> None:
    first, second = make_user(), make_user()
    mine = collected(first, *texts(2))
    headed = texts(1)[0].replace("规则: competition\n", "规则: competition\n日期: 2026-12-05\n", 1)
    theirs = collected(second, headed, texts(3)[2])
    publish_collection(user=first, collection=mine)
    publish_collection(user=second, collection=theirs)
    assert UploadedRecord.objects.filter(is_public=True).count() == 3
    assert queries.collection_counts(theirs) == {"records": 2, "shown": 1}
    remove_collection(user=first, collection=mine)
    assert queries.collection_counts(theirs) == {"records": 2, "shown": 2}
    assert found() == [texts(3)[2], headed]


def test_same_record_comes_back_when_its_account_goes() -> None:
    first, second = make_user(), make_user()
    mine, theirs = collected(first, *texts(1)), collected(second, *texts(1))
    publish_collection(user=first, collection=mine)
    publish_collection(user=second, collection=theirs)
    waiting = upload_collection(user=first, name="再来", file=io.BytesIO(texts(1)[0].encode()))
    close_account(user=first)
    assert list(Collection.objects.all()) == [theirs]
    assert queries.collection_counts(theirs) == {"records": 1, "shown": 1}
    assert found() == texts(1)
    assert Job.objects.get(pk=waiting.job_id).state == JobState.CANCELLED


def test_nobody_but_the_owner_does_anything_with_a_collection() -> None:
    made = collected(make_user(), *texts(1))
    for act in (publish_collection, withdraw_collection, remove_collection):
        with pytest.raises(NotAllowed):
            act(user=make_user(), collection=made)
    other = login(make_user())
    assert other.get(made.get_absolute_url()).status_code == 404
    for name in ("collection_publish", "collection_withdraw", "collection_remove"):
        assert other.post(reverse(name, args=[made.pk])).status_code == 404
    record = made.records.get()
    assert stranger(record.get_absolute_url()).status_code == 404
    assert stranger(reverse("library_record_file", args=[record.pk])).status_code == 404
    assert "老王的谱" not in page(reverse("library"))


def test_account_has_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_records, "MOST_RECORDS", 3)
    user = make_user()
    collected(user, *texts(2))
    made = collected(user, *texts(4)[2:])
    assert (told(made)["kept"], told(made)["over"]) == (1, 1)
    monkeypatch.setattr(collections, "MOST", 2)
    with pytest.raises(Conflict):
        upload_collection(user=user, name="再来", file=io.BytesIO(b"x"))


def test_collection_without_records_is_not_published() -> None:
    user = make_user()
    made = collected(user, "你好")
    with pytest.raises(DomainError) as caught:
        publish_collection(user=user, collection=made)
    assert caught.value.code == "collection-empty"


def test_removed_while_it_waits_leaves_nothing(media: Path) -> None:
    user = make_user()
    made = upload_collection(user=user, name="a", file=io.BytesIO(texts(1)[0].encode()))
    remove_collection(user=user, collection=made)
    assert Job.objects.get().state == JobState.CANCELLED
    assert kept_records.keep_records(collection=made.pk, found=[])["kept"] == 0


def test_file_verified_in_parts_gives_the_same_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [*texts(7), texts(7)[1]]
    whole = collected(make_user(), *records)
    monkeypatch.setattr(uploads, "portions", partial(portions, most=3))
    user = make_user()
    made = upload_collection(user=user, name="分开的", file=io.BytesIO("\n".join(records).encode()))
    assert jobs.sweep() == 5
    made.refresh_from_db()
    assert told(made) == told(whole)
    assert (told(made)["kept"], told(made)["twice"]) == (7, 1)
    values = ("number", "text", "digest", "computed")
    assert list(made.records.values(*values)) == list(whole.records.values(*values))
    columns = [
        field.name
        for field in LibraryHand._meta.concrete_fields
        if field.name not in ("id", "record", "collection")
    ]
    rows = [
        list(LibraryHand.objects.filter(collection=one).order_by("number").values(*columns))
        for one in (made, whole)
    ]
    assert rows[0] == rows[1]


def test_removed_while_its_parts_are_verified_stops_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "portions", partial(portions, most=3))
    user = make_user()
    made = upload_collection(user=user, name="a", file=io.BytesIO("\n".join(texts(7)).encode()))
    assert made.job is not None
    jobs.run(made.job.pk)
    remove_collection(user=user, collection=made)
    assert jobs.sweep() == 0
    assert set(Job.objects.values_list("state", flat=True)) == {JobState.CANCELLED}
    assert UploadedRecord.objects.count() == 0


def test_pages_lead_from_the_file_to_the_library() -> None:
    user = make_user()
    client = login(user)
    file = io.BytesIO("\n".join(texts(3)).encode())
    file.name = "a.zpr"
    sent = client.post(reverse("collections"), {"name": "老K牌谱", "file": file})
    assert sent.status_code == 302
    url = sent["Location"]
    assert "data-poll" in client.get(url).content.decode()
    jobs.sweep()
    shown = client.get(url).content.decode()
    assert "收进了 3 副" in shown
    made = Collection.objects.get()
    client.post(reverse("collection_publish", args=[made.pk]))
    assert "老K牌谱" in page(reverse("library"), where=f"+{made.pk}")
    record = made.records.get(number=2)
    assert "第 2 副" in page(record.get_absolute_url(), step="3")
    given = Client().get(reverse("library_record_file", args=[record.pk]))
    assert isinstance(given, StreamingHttpResponse)
    for address in (url, reverse("collections")):
        with CaptureQueriesContext(connection) as context:
            assert client.get(address).status_code == 200
        assert len(context) <= 6, [query["sql"] for query in context]
    with CaptureQueriesContext(connection) as context:
        stranger(record.get_absolute_url())
    assert len(context) <= 2
    assert client.post(reverse("collections"), {"name": ""}).status_code == 422
    client.post(reverse("collection_remove", args=[made.pk]))
    assert "老K牌谱" not in page(reverse("library"))


def test_all_real_records_go_through_the_upload_and_are_found() -> None:
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}")
    real = [path.read_text() for path in sorted(FOLDER.glob("*.zpr"))]
    assert len(real) == 62
    user = make_user()
    made = collected(user, *real)
    assert (told(made)["kept"], told(made)["statuses"]) == (62, {"valid": 62})
    publish_collection(user=user, collection=made)

    results = [result_of(text) for text in real]
    assert len(found()) == 62
    assert len(found(rules="local")) == 62
    assert len(found(evidence="record")) == 62
    kinds = Counter(str(result.as_json()["kind"]) for result in results)
    for kind, count in kinds.items():
        assert len(found(source=kind)) == count, kind
    for hu in sorted({result.hu for result in results if result.winners}):
        fits = sum(1 for one in results if one.winners and one.hu >= hu)
        assert len(found(hu_from=hu)) == fits, hu
    for kind in ("坎", "扫", "龙", "开舵", "碰", "吃", "顺", "搭", "将"):
        fits = sum(any(meld.kind == kind for meld in one.melds) for one in results)
        assert len(found(melds=bits_named([kind]))) == fits, kind
    specials = Counter(one.special for one in results if one.special)
    for special, count in specials.items():
        assert len(found(special=str(special))) == count
    groups, counts, _more = queries.groups(queries.hands(queries.open_to_all(), Asked()), 1000)
    assert sum(group.hands for group in groups) == 62
    assert sum(counts.values()) == sum(1 for one in results if one.winners)
    dealer = [parse(text).dealer for text in real]
    won = sum(seat in one.winners for seat, one in zip(dealer, results, strict=True))
    assert sum(group.dealer_won for group in groups) == won
    assert sum(group.dealer_net for group in groups) == sum(
        one.deltas[seat] for seat, one in zip(dealer, results, strict=True)
    )
