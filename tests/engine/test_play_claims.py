"""R5 and R6: who may take the open card, how, and in which order."""

import pytest

from tests.engine.positions import at, can, event, legal, play, refusal, sentence

# R5.1 吃


def test_a_discard_is_eaten_by_the_next_player_only():
    """R5.1."""
    hand = at(open="八甲打@8", 乙="七九一", 丙="七九一", 甲="七九一")
    assert legal(hand, "吃") == ["乙 吃 八 七九"]
    assert refusal(hand, "丙 吃 八 七九") == "out-of-turn R5.1"
    assert refusal(hand, "甲 吃 八 七九") == "out-of-turn R5.1"


def test_a_flip_is_eaten_by_the_flipper_or_his_next_player():
    """R5.1."""
    hand = at(open="八甲摸@8", 甲="七九一", 乙="六七一", 丙="九十一")
    assert legal(hand, "吃") == ["甲 吃 八 七九", "乙 吃 八 六七"]
    assert refusal(hand, "丙 吃 八 九十") == "out-of-turn R5.1"


@pytest.mark.parametrize(
    ("card", "held", "ways"),
    [
        ("八", "六七九十一", ["乙 吃 八 六七", "乙 吃 八 七九", "乙 吃 八 九十"]),
        ("二", "一三四七十", ["乙 吃 二 一三", "乙 吃 二 三四", "乙 吃 二 七十"]),
        ("十", "八九一二", ["乙 吃 十 八九"]),
        ("一", "九十二五", []),
        ("四", "四肆肆五", ["乙 吃 四 四肆"]),
        ("四", "四肆五", ["乙 吃 四 四肆"]),
        ("四", "四三二", []),
        ("四", "肆肆五", ["乙 吃 四 肆肆"]),
        ("拾", "贰柒玖捌一", ["乙 吃 拾 贰柒", "乙 吃 拾 捌玖"]),
        ("肆", "三五叁五", []),
    ],
)
def test_what_can_be_eaten_with_what(card, held, ways):
    """R5.1: runs of one size, 二七十 and 搭子; 九十一 is no run, sizes do not mix in runs."""
    assert legal(at(open=f"{card}甲打@8", 乙=held + "陆陆"), "吃") == ways


def test_locked_cards_are_not_eaten_with():
    """R2.3: a 坎 is never split."""
    hand = at(open="八甲打@8", 乙="七七七九一二")
    assert legal(hand, "吃") == []
    assert refusal(hand, "乙 吃 八 七九") == "locked R2.3"


def test_cards_not_held_and_cards_that_form_nothing():
    hand = at(open="八甲打@8", 乙="七捌玖一三")
    assert refusal(hand, "乙 吃 八 七九") == "not-in-hand R5.1"
    assert refusal(hand, "乙 吃 八 七一") == "not-a-meld R5.1"
    zh, en = sentence(hand, "乙 吃 八 七九")
    assert zh == "乙 不能吃 八：手里没有九，有 玖；乙 手里是 一三七捌玖 (R5.1)"
    assert en == "乙 cannot eat (吃) 八: no 九 is in hand, but 玖 is; 乙 holds 一三七捌玖 (R5.1)"


def test_a_claim_names_the_open_card():
    hand = at(open="八甲打@8", 乙="七九一捌玖", 丙="捌捌二")
    assert refusal(hand, "乙 吃 柒 捌玖") == "out-of-turn R5"
    assert refusal(hand, "丙 碰 捌") == "out-of-turn R5"
    assert sentence(hand, "丙 碰 捌")[0] == "丙 不能碰 捌：亮着的是 八 (R5)"


# R5.2 下比


def test_every_copy_still_in_hand_is_laid_as_bi():
    """R5.2."""
    hand = at(open="七甲打@8", 乙="五六七八九柒柒一")
    assert legal(hand, "吃") == [
        "乙 吃 七 五六 七八九",
        "乙 吃 七 五六 七柒柒",
        "乙 吃 七 六八 七柒柒",
        "乙 吃 七 七柒",
        "乙 吃 七 八九 五六七",
        "乙 吃 七 八九 七柒柒",
        "乙 吃 七 柒柒 五六七",
        "乙 吃 七 柒柒 六七八",
        "乙 吃 七 柒柒 七八九",
    ]
    assert refusal(hand, "乙 吃 七 六八") == "bi-missing R5.2"
    assert sentence(hand, "乙 吃 七 六八")[0] == (
        "乙 不能吃 七：手里的七要一起下比，应写“乙 吃 七 六八 七柒柒” (R5.2)"
    )


def test_one_bi_may_hold_two_copies():
    """R5.2: two copies left go into one 搭子, or into two groups."""
    hand = at(open="七甲打@8", 乙="五六七七柒八九一", 丙="一")
    assert legal(hand, "吃") == [
        "乙 吃 七 五六 七七柒",
        "乙 吃 七 六八 七七柒",
        "乙 吃 七 七柒 五六七",
        "乙 吃 七 七柒 六七八",
        "乙 吃 七 七柒 七八九",
        "乙 吃 七 八九 七七柒",
    ]
    assert refusal(hand, "乙 吃 七 五六 七柒柒") == "not-in-hand R5.1"
    both = at(open="七甲打@8", 乙="五五六六七七八九一")
    assert refusal(both, "乙 吃 七 八九 五六七") == "bi-missing R5.2"
    assert "乙 吃 七 八九 五六七 五六七" in legal(both, "吃")


def test_bi_that_cannot_be_laid_forbids_the_chi():
    """R5.2: 有比的情况下不比，吃的过程整体取消."""
    hand = at(open="七甲打@8", 乙="七八九一三")
    assert legal(hand, "吃") == []
    assert refusal(hand, "乙 吃 七 八九") == "bi-missing R5.2"
    assert sentence(hand, "乙 吃 七 八九")[1] == (
        "乙 cannot eat (吃) 七: the 七 left in hand cannot be laid as 比 (R5.2)"
    )


def test_bi_from_locked_cards_and_bi_without_the_card():
    """R5.2: groups from unlocked cards, each with the eaten card."""
    hand = at(open="七甲打@8", 乙="五六七八九九九二三四一")
    assert legal(hand, "吃") == []
    assert refusal(hand, "乙 吃 七 五六 七八九") == "locked R2.3"
    clean = at(open="七甲打@8", 乙="五六二三四一")
    assert refusal(clean, "乙 吃 七 五六 二三四") == "not-a-meld R5.2"


def test_eating_lays_the_melds():
    hand = at(open="七甲打@8", 乙="五六七七柒八九一")
    done = hand.do(event(hand, "乙 吃 七 五六 七七柒"))
    assert [str(meld) for meld in done.melds] == ["吃 五六七", "吃 七七柒"]
    assert (done.number, str(done.event)) == (9, "乙 吃 七 五六 七七柒")
    assert legal(hand) == ["乙 打 一", "乙 打 八", "乙 打 九"]


# R5.3 碰


@pytest.mark.parametrize(("seat", "how"), [("乙", "打"), ("丙", "打"), ("乙", "摸"), ("丙", "摸")])
def test_peng_takes_anothers_card_from_either_side(seat, how):
    """R5.3."""
    hand = at(open=f"八甲{how}@8", **{seat: "八八一"})
    assert f"{seat} 碰 八" in legal(hand)
    play(hand, f"{seat} 碰 八")
    assert legal(hand) == [f"{seat} 打 一"]


def test_peng_needs_the_pair_and_another_player():
    """R5.3."""
    hand = at(open="八甲打@8", 甲="八八一", 乙="八捌捌一")
    assert refusal(hand, "乙 碰 八") == "not-in-hand R5.3"
    assert sentence(hand, "乙 碰 八")[0].startswith("乙 不能碰 八：手里只有一张八，有 捌；")
    assert refusal(hand, "甲 碰 八") == "out-of-turn R5.3"
    assert refusal(hand, "乙 碰 捌") == "out-of-turn R5"


# R5.4, R5.5 扫 过扫 扫穿


def test_own_flip_to_a_pair_is_a_compulsory_sao():
    """R5.4; a 扫 cannot be won on by another (R6)."""
    hand = at(open="八甲摸@8", 甲="八八一", 乙="八七九")
    assert legal(hand) == ["甲 扫 八"]
    assert refusal(hand, "甲 过扫 八") == "must-act R5.4"
    assert refusal(hand, "乙 吃 八 七九") == "priority R5.4"
    assert refusal(hand, "乙 摸 九") == "must-act R5.4"
    assert refusal(hand, "甲 过") == "must-act R5.4"
    play(hand, "甲 扫 八")
    assert hand.position().split("甲=")[1].startswith("一|扫八八八|")
    assert legal(hand) == ["甲 打 一"]


def test_guosao_where_a_peng_was_let_pass():
    """R5.4: iff a 碰 of that card was let pass before."""
    hand = at(open="八甲摸@8", 甲="八八一|||八@3|八@5")
    assert legal(hand) == ["甲 过扫 八"]
    assert refusal(hand, "甲 扫 八") == "must-act R5.4"
    zh, en = sentence(hand, "甲 扫 八")
    assert zh == "甲 必须先过扫 八（第 5 手放过碰），这里不能“甲 扫 八” (R5.4)"
    assert en.startswith("甲 must first 过扫 八 (a 碰 of it was let pass at event 5): “甲 扫 八”")
    assert [str(m) for m in hand.do(hand.legal()[0]).melds] == ["过扫 八八八"]
    only_chi = at(open="八甲摸@8", 甲="八八一|||八@3")
    assert legal(only_chi) == ["甲 扫 八"]


@pytest.mark.parametrize("held", ["八八八一", "一|扫八八八", "一|过扫八八八"])
def test_the_fourth_by_own_flip_is_a_compulsory_saochuan(held):
    """R5.5: to one's 坎, 扫 or 过扫."""
    hand = at(open="八甲摸@8", 甲=held)
    assert legal(hand) == ["甲 扫穿 八"]
    play(hand, "甲 扫穿 八")
    assert hand.position().split("甲=")[1].startswith("一|扫穿八八八八|")


def test_sao_and_saochuan_of_what_is_not_there():
    hand = at(open="八甲摸@8", 甲="八捌捌一", 乙="八八一")
    assert refusal(hand, "甲 扫 八") == "not-in-hand R5.4"
    assert refusal(hand, "甲 扫穿 八") == "not-in-hand R5.5"
    assert refusal(hand, "乙 扫 八") == "out-of-turn R5.4"
    thrown = at(open="八甲打@8", 甲="八八一")
    assert refusal(thrown, "甲 过扫 八") == "out-of-turn R5.4"


# R5.6 开舵

ANY, OWN = "competition;peng_opens_on=any-flip", "competition"
BOTH, FLIPS = "competition;sao_opens_on=flip-or-discard", "competition"


@pytest.mark.parametrize(
    ("rules", "held", "how", "opens"),
    [
        (OWN, "八八八一", "甲打", True),
        (OWN, "八八八一", "甲摸", True),
        (FLIPS, "一二|扫八八八", "甲摸", True),
        (FLIPS, "一二|过扫八八八", "丙摸", True),
        (FLIPS, "一二|扫八八八", "甲打", False),
        (BOTH, "一二|扫八八八", "甲打", True),
        (BOTH, "一二|过扫八八八", "丙打", True),
        (OWN, "一二|碰八八八", "甲摸", False),
        (OWN, "一二|碰八八八", "乙摸", True),
        (ANY, "一二|碰八八八", "丙摸", True),
        (ANY, "一二|碰八八八", "甲打", False),
        (ANY, "一二|碰八八八", "乙摸", True),
    ],
)
def test_what_a_fourth_card_opens(rules, held, how, opens):
    """R5.6 (a), (b), (c) with both options: compulsory where it opens, impossible where not."""
    hand = at(rules=rules, open=f"八{how}@8", 乙=held, 丙="七九一")
    if opens:
        assert legal(hand) == ["乙 开舵 八"]
        assert refusal(hand, f"{'丙甲'[how[0] == '丙']} 摸 九") == "must-act R5.6"
        play(hand, "乙 开舵 八")
        assert "开舵八八八八" in hand.position()
    else:
        assert "乙 开舵 八" not in legal(hand)
        assert refusal(hand, "乙 开舵 八") == "out-of-turn R5.6"


def test_opening_keeps_the_place_of_the_meld():
    hand = at(open="八乙摸@8", 乙="一二|碰八八八,吃三四五,扫七七七")
    play(hand, "乙 开舵 八")
    assert [str(m) for m in hand.tables[1]] == ["开舵 八八八八", "吃 三四五", "扫 七七七"]


def test_nothing_to_open():
    hand = at(open="八甲打@8", 乙="八八一", 丙="一")
    assert refusal(hand, "丙 开舵 八") == "not-in-hand R5.6"
    assert "没有八的坎、扫、过扫或碰" in sentence(hand, "丙 开舵 八")[0]


def test_chi_of_another_waits_for_a_kaiduo():
    """R6: 开舵 ranks before 吃."""
    hand = at(open="八甲打@8", 乙="七九一", 丙="八八八一")
    assert refusal(hand, "乙 吃 八 七九") == "priority R5.6"
    assert refusal(hand, "乙 过") == "must-act R5.6"
    assert refusal(hand, "丙 过") == "must-act R5.6"
    assert refusal(hand, "荒") == "wall-left R4.6"
    assert sentence(hand, "乙 吃 八 七九") == (
        "丙 必须先开舵 八，排在“乙 吃 八 七九”前面 (R5.6)",
        "丙 must first open (开舵) 八, before “乙 吃 八 七九” (R5.6)",
    )


# R5.7 臭牌


def flip_after(hand):
    """The next flip, of a card nobody wants."""
    return play(hand, f"{SEAT[hand.following[hand.giver]]} 摸 玖")


SEAT = "甲乙丙丁"


def marks(hand):
    """Who has let pass: seats of 吃 and of 碰."""
    chi = "".join(SEAT[s] for s in hand.playing if hand.passed_chi[s])
    peng = "".join(SEAT[s] for s in hand.playing if hand.passed_peng[s])
    return chi, peng


def test_nobody_takes_a_discard_who_could_has_passed():
    """R5.7."""
    hand = flip_after(at(open="八甲打@8", 乙="七九一", 丙="八八一"))
    assert marks(hand) == ("乙", "丙")
    assert hand.passed_chi[1] == {7: 8}


def test_nobody_takes_a_flip_flipper_and_next_have_passed():
    """R5.7."""
    hand = flip_after(at(open="八甲摸@8", 甲="七九一", 乙="六七一", 丙="七九一"))
    assert marks(hand) == ("甲乙", "")


def test_after_a_peng_nobody_has_passed():
    """R5.7."""
    hand = play(at(open="八甲摸@8", 甲="七九一", 乙="六七一", 丙="八八一"), "丙 碰 八")
    assert marks(hand) == ("", "")


def test_after_a_kaiduo_nobody_has_passed():
    """R5.7."""
    hand = play(at(open="八甲打@8", 乙="六七一", 丙="八八八一"), "丙 开舵 八")
    assert marks(hand) == ("", "")


def test_the_next_player_eats_a_flip_the_flipper_has_passed():
    """R5.7: and everyone else who could 碰; the eater has not passed his own 碰."""
    hand = at(open="八甲摸@8", 甲="七九一", 乙="六七一", 丙="八八一")
    assert marks(play(hand, "乙 吃 八 六七")) == ("甲", "丙")
    own = at(open="八甲摸@8", 甲="七九一", 乙="八八六七捌一")
    assert marks(play(own, "乙 吃 八 六七 八八捌")) == ("甲", "")


def test_the_flipper_eats_his_next_player_has_not_passed_the_chi():
    """R5.7: a 碰 he could have made goes before, and that he has let pass."""
    hand = at(open="八甲摸@8", 甲="七九一", 乙="八八六七捌一")
    assert marks(play(hand, "甲 吃 八 七九")) == ("", "乙")


def test_writing_a_pass_makes_no_difference_to_who_has_passed():
    """R5.7, notation 过: a 碰 takes the card, so nobody has passed."""
    hand = play(at(open="八甲打@8", 乙="七九一", 丙="八八一"), "乙 过", "丙 碰 八")
    assert marks(hand) == ("", "")


def test_who_could_not_has_not_passed():
    """R5.7: no 比, nothing left to discard, or a card he threw himself."""
    for held in ("七八九一", "七九", "七九一|||||八@2"):
        assert marks(flip_after(at(open="八甲打@8", 乙=held))) == ("", "")
    assert marks(flip_after(at(open="八甲打@8", 乙="八八"))) == ("", "")


@pytest.mark.parametrize(
    ("passed", "marked", "chi", "peng"),
    [
        ("separate", "八@2|", False, True),
        ("separate", "|八@2", True, False),
        ("shared", "八@2|", False, False),
        ("shared", "|八@2", False, False),
    ],
)
def test_what_a_passed_card_bars(passed, marked, chi, peng):
    """R5.7, option `passed`."""
    hand = at(
        rules=f"competition;passed={passed}", open="八甲打@8", 乙=f"七九八八捌一|||{marked}||"
    )
    assert can(hand, "乙 吃 八 七九 八八捌") is chi
    assert can(hand, "乙 碰 八") is peng
    if not chi:
        assert refusal(hand, "乙 吃 八 七九 八八捌") == "stale R5.7"
        assert sentence(hand, "乙 吃 八 七九 八八捌")[0] == "乙 不能吃 八：第 2 手已放过 (R5.7)"
        assert refusal(hand, "乙 吃 八 七九") == "stale R5.7"
    if not peng:
        assert refusal(hand, "乙 碰 八") == "stale R5.7"


def test_passing_never_bars_what_is_compulsory():
    """R5.7."""
    marked = "|||八@2|八@2|"
    assert legal(at(open="八甲打@8", 乙="八八八一" + marked)) == ["乙 开舵 八"]
    assert legal(at(open="八乙摸@8", 乙="八八一" + marked)) == ["乙 过扫 八"]
    assert legal(at(open="八乙摸@8", 乙="八八八一" + marked)) == ["乙 扫穿 八"]


def test_nobody_eats_what_he_discarded_himself():
    """R5.8: whoever discards or flips it later; 碰 is not barred."""
    hand = at(open="八甲打@8", 乙="七九八八捌一|||||八@3")
    assert refusal(hand, "乙 吃 八 七九 八八捌") == "stale R5.8"
    assert sentence(hand, "乙 吃 八 七九 八八捌")[0] == "乙 不能吃 八：第 3 手自己打过 (R5.8)"
    assert can(hand, "乙 碰 八")
    assert legal(at(open="八乙摸@8", 乙="七九一|||||八@3"), "吃") == []


# R6


def test_peng_and_chi_stand_side_by_side_and_each_may_pass():
    """R6, notation 过."""
    hand = at(open="八甲打@8", 乙="七九一", 丙="八八一", wall="九")
    assert legal(hand) == ["丙 碰 八", "乙 吃 八 七九", "乙 过", "丙 过"]
    play(hand, "丙 过")
    assert legal(hand) == ["乙 吃 八 七九", "乙 过"]
    assert refusal(hand, "丙 碰 八") == "out-of-turn R5.7"
    assert refusal(hand, "丙 过") == "out-of-turn R5.7"
    play(hand, "乙 过")
    assert [str(e) for e in hand.legal()] == ["乙 摸 九"]
    assert can(hand, "乙 摸 九")


def test_pass_without_a_claim():
    hand = at(open="八甲打@8", 乙="七九一", 丙="一")
    assert refusal(hand, "丙 过") == "out-of-turn R5.7"
    assert refusal(hand, "甲 过") == "out-of-turn R5.7"
