"""A competition of units in three events, played through the domain's own functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.domain.hands import Entered, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import Evidence
from tests.scoring.games import game
from tests.tournament.competitions import Made, make
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.domain.entries import add_pasted
from tournament.domain.events import make_unit_competition
from tournament.domain.formats import format_of, set_format
from tournament.domain.playing import pair_by_unit, set_events
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, StageKind
from tournament.models import Event, Stage, Table

UNITS = "甲乙丙丁戊己庚辛壬"


@dataclass
class Units:
    """27 of nine units: numbers 1, 2, 3 of 甲队, 4, 5, 6 of 乙队 and so on."""

    made: Made
    zipai: Event
    chess: Event
    sheng: Event

    def stage(self, event: Event) -> Stage:
        return event.stages.get(kind=StageKind.KNOCKOUT)

    def publish(self, event: Event) -> None:
        """Frozen, drawn and published."""
        owner, stage = self.made.owner, self.stage(event)
        frozen = freeze_draw(acting=owner, stage=stage)
        enter_words(acting=owner, draw=frozen, words="红红黑")
        publish_draw(acting=owner, stage=stage)

    def play(self, event: Event, *, until: int | None = None) -> None:
        """Every table, the lower number wins; up to round `until`."""
        for round_ in self.stage(event).rounds.order_by("number"):
            if until is not None and round_.number > until:
                return
            for table in round_.tables.order_by("number"):
                self.play_table(table)

    def play_table(self, table: Table) -> None:
        """字牌: the lowest number wins, in the final the next then takes 6 from the last. Others:
        the lower number wins 2 : 1."""
        table = Table.objects.select_related("round__stage__event").get(pk=table.pk)
        seats = list(table.seats.select_related("entrant__entry").order_by("position"))
        order = sorted(seats, key=lambda seat: seat.entrant.number if seat.entrant else 999)
        sheet, owner = open_sheet(table), self.made.owner
        if table.round.stage.event_id == self.zipai.pk:
            best, second, last = (seat.name for seat in order)
            hand = {"source": "own-flip", "winner": best, "hu": 16, "xing_count": 1}
            hands = [Entered(Evidence.RESULT, hand)]
            if table.round.is_last:
                hand = {"source": "discard", "winner": second, "payer": last}
                hands.append(Entered(Evidence.RESULT, {**hand, "hu": 16, "xing_count": 1}))
        else:
            wins = [1, 2] if order[0].position == 0 else [2, 1]
            hands = [game(wins)]
            if table.round.stage.event_id == self.chess.pk:
                hands += [game(wins[::-1]), game(wins)]
        for entered in hands:
            enter_hand(acting=owner, sheet=sheet, entered=entered)
        submit_sheet(acting=owner, sheet=sheet)


def make_units() -> Units:
    """Entered and paired, nothing drawn: 字牌 all 27, 象棋 the second of the first eight units,
    双升 the first and third of the last six."""
    made = make()
    owner, competition = made.owner, made.competition
    zipai, chess, sheng = make_unit_competition(acting=owner, competition=competition)
    lines = [f"{unit}{n}\t{unit}队" for unit in UNITS for n in (1, 2, 3)]
    add_pasted(acting=owner, event=zipai, text="\n".join(lines))
    for entry in competition.entries.select_related("person", "competition"):
        unit, place = divmod(entry.number - 1, 3)
        events = {zipai}
        if place == 1 and unit < 8:
            events.add(chess)
        if place != 1 and unit >= 3:
            events.add(sheng)
        if len(events) > 1:
            set_events(acting=owner, entry=entry, events=events)
    pair_by_unit(acting=owner, event=sheng)
    found = Units(made, zipai, chess, sheng)
    stage = found.stage(zipai)
    plain = format_of(stage)
    wanted = replace(plain, preliminary=0, hands=1, final_hands=2)
    set_format(acting=owner, stage=stage, wanted=wanted, entrants=27)
    for event in (zipai, chess, sheng):
        stage = found.stage(event)
        set_play(acting=owner, stage=stage, values={"confirmation": ConfirmationMode.NONE})
    competition.published_at = competition.created_at
    competition.save()
    return found
