"""Positions, their turns, and the verdict on a turn."""

import copy
import json
import pickle
import random
import re

import plain
import pytest

import santorini
from santorini import Batch, Game, IllegalTurn, Position

TEXT = "00000/00010/00000/00000/00000 b3d3 c2c4 1"


def test_a_position_is_what_its_text_says():
    position = Position(TEXT)
    assert str(position) == TEXT
    assert repr(position) == f"santorini.Position('{TEXT}')"
    assert (position.size, position.turn, position.to_move) == (5, 1, 1)
    assert position.workers == (("c2", "c4"), ("b3", "d3"))
    assert position.levels[1] == [0, 0, 0, 1, 0]
    assert position.cards is None and position.last_turn is None
    assert not position.is_over and position.winner is None and position.result() is None


def test_turns_match_plain_python_in_random_games():
    rules, rng = plain.Rules(), random.Random(1)
    seen = 0
    for _ in range(30):
        board, number = rules.start(rng), 0
        while legal := rules.turns(board):
            position = Position(f"{rules.text(board)} {number}")
            assert sorted(position.turns()) == sorted(map(plain.notation, legal))
            assert position.count_turns() == len(legal)
            turn = rng.choice(legal)
            after = position.play(plain.notation(turn))
            seen += 1
            if turn[2] is None:
                assert after.is_over and after.winner == position.to_move
                break
            board, number = plain.play(board, turn), number + 1
            assert str(after) == f"{rules.text(board)} {number}"
        else:
            assert Position(f"{rules.text(board)} {number}").winner == 1 - number % 2
    assert seen > 500


def test_known_numbers_of_lines():
    position = Position.start(("c2", "c4"), ("b3", "d3"))
    assert [position.perft(depth) for depth in (0, 1)] == [1, position.count_turns()]
    deeper = sum(after.count_turns() for after in position.successors())
    assert position.perft(2) == deeper


def test_json_goes_both_ways():
    for position in (Position(TEXT), Position.random(5, size=6), Position.random(3, cards=("Pan", "Atlas"))):
        assert Position.from_json(position.to_json()) == position
        assert Position.from_json(position.to_dict()) == position
        assert json.loads(position.to_json()) == position.to_dict()


def test_a_game_ends_with_a_win():
    position = Position("00000/01200/00320/00000/00000 c2d4 a1a5 6")
    won = position.play("c2-c3#")
    assert (won.winner, won.result(), won.turns(), won.count_turns()) == (0, (1.0, 0.0), [], 0)
    assert won.last_turn == "c2-c3#" and not won.is_legal("a1-a2+a1")
    with pytest.raises(IllegalTurn, match="the game is over: player 0 has won"):
        won.play("a1-a2+a1")
    stuck = Position("04440/44444/44444/44444/00444 a1e1 a5b5 9")
    assert (stuck.winner, stuck.is_over, stuck.turns()) == (0, True, [])


def test_with_cards_the_last_turn_tells_who_has_won():
    position = Position("00000/02000/00000/00000/00000 b2e5 a5e1 4 Pan Atlas")
    won = position.play("b2-b1#")
    assert won.winner == 0 and won.cards == ("Pan", "Atlas")
    assert Position(str(won)).winner is None
    for again in (pickle.loads(pickle.dumps(won)), copy.deepcopy(won)):
        assert again == won and again.winner == 0 and again.last_turn == "b2-b1#"


def test_all_cards_and_both_sizes():
    for first in santorini.CARDS:
        for second in santorini.CARDS:
            if first == second:
                continue
            for size in (5, 6):
                position = Position.random(3, seed=1, cards=(first, second), size=size)
                assert position.cards == (first, second) and position.size == size
                after = position.play(position.turns()[-1])
                assert position.judge(after) in position.turns()
                assert after.cards == (first, second)


def spellings(turn):
    """Other spellings of a turn."""
    yield f"  {turn.upper()}\n"
    yield turn.replace("x", "-").rstrip("#")
    if match := re.fullmatch(r"(..-..)\+(..)\+(..)", turn):
        move, one, two = match.groups()
        yield f"{move}+{two}+{one}"


@pytest.mark.parametrize("card", santorini.CARDS)
def test_turns_are_read_in_every_spelling_and_written_in_one(card):
    other = "Pan" if card != "Pan" else "Apollo"
    count = 0
    for seed in range(3):
        position = Position.random(6 * seed, seed, cards=(card, other))
        batch = Batch(1, cards="random")
        batch.set_position(0, position)
        for turn in position.turns():
            after = position.play(turn)
            for spelled in spellings(turn):
                again = position.play(spelled)
                assert again == after and again.last_turn == turn
                assert position.is_legal(spelled)
                assert batch.action_of(0, spelled) == batch.action_of(0, turn)
                count += 1
        assert Game(position, [spelled]).turns == [turn]
    assert count > 100


def test_the_same_board_by_an_illegal_way_is_refused():
    empty = "00000/00000/00000/00000/00000"
    position = Position(f"{empty} b2d3 c4e5 0 Prometheus Pan")
    assert position.play("b2+a2-a1+b1").last_turn == "b2+b1-a1+a2"
    with pytest.raises(IllegalTurn, match=r"b2\+b1-a1\+a2 leads to the same board"):
        position.play("b2-a1+a2+b1")
    assert not position.is_legal("b2-a1+a2+b1")
    artemis = Position(f"{empty} b2d3 b3e5 0 Artemis Pan")
    assert artemis.play("b2-a3-a4+a5") == artemis.play("b2-a3-a4+a5 ")
    assert not artemis.is_legal("b2-b3-a4+a5")


def test_illegal_turns_name_what_is_wrong():
    position = Position(TEXT)
    with pytest.raises(IllegalTurn, match="c2-c3.c4 is not legal: .*c2.*the board: 00000"):
        position.play("c2-c3+c4")
    with pytest.raises(ValueError, match="is not a turn; a turn looks like"):
        position.play("c2c3")
    board = position.to_dict()
    for wrong, rule in [
        (board, "no turn was made"),
        ({**board, "players": board["players"][::-1], "turn": 2}, "nothing was built|no worker"),
        ({"turn": 2}, "players|spaces"),
    ]:
        with pytest.raises(IllegalTurn, match=rule):
            position.judge(wrong)
    with pytest.raises(ValueError, match="not JSON"):
        position.judge("{")


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "00000/00000 a1a2 b1b2 0", "00000/00000/00000/00000/00000 a1a1 b1b2 0", "0" * 10**6],
)
def test_invalid_positions_are_refused(text):
    with pytest.raises(ValueError):
        Position(text)


def test_invalid_starts_are_refused():
    with pytest.raises(ValueError, match="'z9'|\"z9\""):
        Position.start(("z9", "a1"), ("b1", "b2"))
    with pytest.raises(ValueError, match="size is 7; it should be a whole number from 5 to 6"):
        Position.random(size=7)
    with pytest.raises(ValueError, match="both players have the card Pan"):
        Position.random(cards=("Pan", "Pan"))
    with pytest.raises(ValueError, match="Zeus"):
        Position.start(("a1", "a2"), ("b1", "b2"), cards=("Zeus", "Pan"))


def test_equal_positions_are_one_key():
    one, other = Position(TEXT), Position.from_json(Position(TEXT).to_json())
    assert one == other and len({one, other}) == 1
    assert one != one.play(one.turns()[0]) and one != TEXT


def test_pictures():
    position = Position(TEXT)
    after = position.play(position.turns()[0])
    assert position.svg().startswith("<svg") and after._repr_svg_() != position._repr_svg_()
    assert "to move" in position.picture()
    assert position.picture(ascii=True).isascii() and not position.picture().isascii()
