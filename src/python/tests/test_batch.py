"""Many games at once."""

import numpy as np
import pytest

from santorini import CARDS, DIRECTIONS, Batch, IllegalTurn, Position

SETTINGS = [(5, None), (6, None), (5, "random"), (6, "random")]


def played(batch, steps):
    """Plays at random. Yields the arrays before each step and the result of the step."""
    for _ in range(steps):
        masks, planes, movers = batch.masks(), batch.observations(), batch.to_move
        positions = [batch.position(game) for game in range(len(batch))]
        actions = batch.sample()
        texts = [batch.turn_of(game, int(actions[game])) for game in range(len(batch))]
        yield masks, planes, movers, positions, actions, texts, batch.step(actions)


@pytest.mark.parametrize("size, cards", SETTINGS)
def test_masks_are_the_legal_turns(size, cards):
    batch = Batch(16, size, cards=cards, seed=3)
    places = batch.actions - size * size
    assert places == (2882 if cards else 128)
    turns = 0
    for masks, _, movers, positions, actions, texts, _ in played(batch, 60):
        assert masks[np.arange(16), actions].all()
        for game, position in enumerate(positions):
            legal = np.flatnonzero(masks[game])
            if position is None:
                assert (legal >= places).all() and len(legal) > size * size - 4
                continue
            again = Batch(1, size, cards=cards)
            again.set_position(0, position)
            names = [again.turn_of(0, int(action)) for action in legal]
            assert sorted(names) == sorted(position.turns())
            assert [again.action_of(0, name) for name in names] == list(legal)
            assert movers[game] == position.to_move
            turns += 1
    assert turns > 500


@pytest.mark.parametrize("size, cards", SETTINGS)
def test_placements_have_actions(size, cards):
    batch = Batch(1, size, cards=cards, restart=False)
    for count in range(4):
        legal = np.flatnonzero(batch.masks()[0])
        assert [batch.action_of(0, batch.turn_of(0, action)) for action in legal] == list(legal)
        for wrong in ("g1", "a1-a2+b1", "", *["a1"][:count]):
            with pytest.raises(ValueError, match='turn is ".*"; it should be a free space'):
                batch.action_of(0, wrong)
        batch.step(legal[:1])


def squares(plane):
    return sorted("abcdef"[column] + str(row + 1) for row, column in np.argwhere(plane))


@pytest.mark.parametrize("size, cards", SETTINGS)
def test_a_step_plays_the_turn_and_planes_show_the_board(size, cards):
    batch = Batch(8, size, cards=cards, seed=5, start="random", turns=2, restart=False)
    before = [batch.position(game) for game in range(8)]
    actions = batch.sample()
    texts = [batch.turn_of(game, int(actions[game])) for game in range(8)]
    won = batch.step(actions)
    planes = batch.observations()
    count = 23 if cards else 7
    assert planes.shape == (8, count, size, size) and planes.dtype == np.uint8
    for game in range(8):
        after = before[game].play(texts[game])
        assert batch.position(game) == after and won[game] == after.is_over
        assert batch.cards(game) == after.cards
        levels = np.array(after.levels)
        for level in range(4):
            assert (planes[game, level] == (levels > level)).all()
        own, other = after.workers[after.to_move], after.workers[1 - after.to_move]
        assert sorted(squares(planes[game, 4]) + squares(planes[game, 5])) == sorted(own)
        assert squares(planes[game, 6]) == sorted(other)
        if cards:
            own, other = after.cards[after.to_move], after.cards[1 - after.to_move]
            full = [7 + CARDS.index(own), 15 + CARDS.index(other)]
            for plane in range(7, 23):
                assert (planes[game, plane] == (plane in full)).all()


# Action numbers as documented: worker 1 of the player to move is on c3 and goes
# north; east is a second step or build, south the last.
NORTH, EAST, SOUTH = (DIRECTIONS.index(name) for name in ("N", "E", "S"))


@pytest.mark.parametrize(
    "card, action, turn",
    [
        ("Pan", 64 + 8 * NORTH + EAST, "c3-c2+d2"),
        ("Apollo", 64 + 8 * EAST + SOUTH, "c3xd3+d4"),
        ("Minotaur", 64 + 8 * EAST + SOUTH, "c3xd3+d4"),
        ("Atlas", 128 + 64 + 8 * NORTH + EAST, "c3-c2^d2"),
        ("Hephastus", 256 + 64 + 8 * NORTH + EAST, "c3-c2+d2+d2"),
        ("Artemis", 384 + 225 + 9 * (5 * 0 + 2) + EAST, "c3-b2-c1+d1"),
        ("Demeter", 834 + 512 + 64 * NORTH + 8 * EAST + SOUTH, "c3-c2+d2+c3"),
        ("Prometheus", 1858 + 512 + 64 * EAST + 8 * NORTH + SOUTH, "c4+d4-c3+c4"),
    ],
)
def test_action_numbers_of_turns_with_cards(card, action, turn):
    other = "Demeter" if card != "Demeter" else "Pan"
    worker = turn[:2]
    position = Position(f"00000/00000/00000/00000/00000 a1{worker} d3e5 4 {card} {other}")
    for cards in ((card, other), "random"):
        batch = Batch(1, cards=cards)
        batch.set_position(0, position)
        assert batch.turn_of(0, action) == turn and batch.action_of(0, turn) == action
        assert not batch.step([action])[0]
        assert batch.position(0) == position.play(turn)


def test_a_win_of_two_steps_has_no_build():
    position = Position("00000/01200/00300/00000/00000 a1b2 d5e5 4 Artemis Pan")
    batch = Batch(1, cards=("Artemis", "Pan"), restart=False)
    batch.set_position(0, position)
    action = 384 + 225 + 9 * (5 * 3 + 3) + 8
    assert batch.turn_of(0, action) == "b2-c2-c3#"
    assert batch.step([action])[0] and batch.position(0).winner == 0


def test_cards_are_shown_while_workers_are_placed():
    batch = Batch(1, cards=("Pan", "Atlas"))
    assert batch.cards(0) == ("Pan", "Atlas") and batch.position(0) is None
    for move in range(4):
        planes = batch.observations()[0]
        own, other = ("Pan", "Atlas") if move < 2 else ("Atlas", "Pan")
        full = [plane for plane in range(7, 23) if planes[plane].all()]
        assert full == [7 + CARDS.index(own), 15 + CARDS.index(other)]
        assert planes[7:].sum() == 2 * 25
        batch.step([2882 + move])
    assert batch.position(0).cards == ("Pan", "Atlas")
    assert Batch(1).cards(0) is None


def test_all_pairs_of_cards_are_drawn():
    batch = Batch(1000, cards="random", seed=1)
    pairs = [batch.cards(game) for game in range(1000)]
    counts = {pair: pairs.count(pair) for pair in pairs}
    assert len(counts) == 56 and max(counts.values()) < 45
    assert all(first != second for first, second in counts)
    again = Batch(1000, cards="random", seed=1)
    assert [again.cards(game) for game in range(1000)] == pairs
    # Restarts of other seeds deal other cards.
    dealt = []
    for seed in (0, 1):
        batch = Batch(4, cards="random", seed=seed)
        dealt.append([])
        for _ in range(8):
            dealt[-1].append([batch.cards(game) for game in range(4)])
            batch.reset()
    assert not [begun for begun in dealt[0] if begun in dealt[1]]


def test_games_start_on_the_empty_board_and_restart():
    batch = Batch(2, seed=1)
    assert batch.position(0) is None and batch.to_move.tolist() == [0, 0]
    for action in (128, 129, 130, 131):
        assert not batch.step([action, action]).any()
    assert str(batch.position(0)).endswith("a1b1 c1d1 0")
    won = np.zeros(2, bool)
    while not won.any():
        won = batch.step(batch.sample())
    ended = int(np.flatnonzero(won)[0])
    assert batch.position(ended) is None


def test_games_that_do_not_restart_stay():
    batch = Batch(1, seed=2, restart=False)
    steps = 0
    while not batch.step(batch.sample())[0]:
        steps += 1
    last = batch.position(0)
    assert last.count_turns() == 0 or not batch.masks().any()
    assert steps > 8 and not batch.masks().any()
    assert not batch.step([0])[0] and batch.position(0) == last
    batch.reset(0)
    assert batch.masks().sum() == 25


def test_an_illegal_action_changes_nothing():
    batch = Batch(3, start="random", seed=1)
    before = [batch.position(game) for game in range(3)]
    actions = batch.sample()
    actions[2] = int(np.flatnonzero(~batch.masks()[2])[0])
    with pytest.raises(IllegalTurn, match=f"action {actions[2]} is not legal in game 2; nothing"):
        batch.step(actions)
    for action in (-1, 10**6):
        with pytest.raises(IllegalTurn):
            batch.step([action] * 3)
    assert [batch.position(game) for game in range(3)] == before
    with pytest.raises(ValueError, match="shape"):
        batch.step([1, 2])
    for call in (batch.position, batch.reset):
        with pytest.raises(IndexError):
            call(3)


@pytest.mark.parametrize("cards", [None, "random"])
def test_the_seed_decides(cards):
    def games(seed):
        batch = Batch(4, cards=cards, start="random", turns=1, seed=seed)
        return [batch.step(batch.sample()).tolist() for _ in range(50)], batch.observations()

    (one, planes), (other, same) = games(7), games(7)
    assert one == other and (planes == same).all()
    assert (games(8)[1] != planes).any()


def test_arrays_are_filled_in_place():
    batch = Batch(4, seed=1)
    masks, planes = np.ones((4, batch.actions), bool), np.ones((4, 7, 5, 5), np.uint8)
    assert batch.masks(masks) is masks and batch.observations(planes) is planes
    assert (masks == batch.masks()).all() and not planes.any()
    with pytest.raises(ValueError, match="shape"):
        batch.masks(np.ones((3, batch.actions), bool))
    with pytest.raises(ValueError, match="contiguous"):
        batch.masks(np.ones((batch.actions, 4), bool).T)


def test_rollouts_tell_who_is_better():
    batch = Batch(2, restart=False)
    batch.set_position(0, Position("33300/32300/33300/00000/00000 b2e5 a5e1 4"))
    batch.set_position(1, Position("00000/00000/00000/00000/00000 b2e5 a5e1 4"))
    shares = batch.rollouts(4000)
    assert shares.dtype == np.float32 and 0.4 < shares[1] < 0.6 < shares[0] < 1
    assert batch.position(0).turn == 4
    assert 0.4 < Batch(1, seed=3).rollouts(4000)[0] < 0.6


def test_random_actions_are_uniform():
    position = Position("02200/03300/12344/10000/00000 b1a3 d1e5 9")
    batch = Batch(20_000, seed=1)
    for game in range(len(batch)):
        batch.set_position(game, position)
    counts = np.bincount(batch.sample(), minlength=batch.actions)
    legal = batch.masks()[0]
    assert (counts[~legal] == 0).all()
    expected = len(batch) / legal.sum()
    assert (abs(counts[legal] - expected) < 6 * expected**0.5).all()


def test_invalid_batches_are_refused():
    for arguments, words in [
        ((0,), "count is 0; it should be a whole number from 1"),
        ((1, 7), "size is 7; it should be a whole number from 5 to 6"),
    ]:
        with pytest.raises(ValueError, match=words):
            Batch(*arguments)
    with pytest.raises(ValueError, match="start"):
        Batch(1, start="book")
    for cards in ("Pan", ("Pan", "Pan"), ("Pan", "Zeus"), ("Pan",)):
        with pytest.raises(ValueError, match="random|differ|Zeus|1 items"):
            Batch(1, cards=cards)
    with pytest.raises(ValueError, match="have no cards, and the position has"):
        Batch(1).set_position(0, Position.random(cards=("Pan", "Atlas")))
    with pytest.raises(ValueError, match="have cards, and the position has none"):
        Batch(1, cards="random").set_position(0, Position.random())
    with pytest.raises(ValueError, match="5x5"):
        Batch(1).set_position(0, Position.random(size=6))
