"""The search, agents, levels and game records."""

import _thread
import json
import threading
import time
import warnings

import pytest

from santorini import Agent, Engine, Game, IllegalTurn, LevelPlayer, Position, read_games

BOARD = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")


def test_a_search_is_the_same_every_time():
    reports = [Engine().best(BOARD, nodes=20_000) for _ in range(2)]
    first, second = [(r.turn, r.score, r.depth, r.nodes, r.turns) for r in reports]
    assert first == second
    assert first[0] in BOARD.turns() and reports[0].seconds > 0
    assert reports[0].lines[0].turn == reports[0].turn


def test_a_smaller_table_than_asked_for_is_a_warning():
    engine = Engine("tuned", hash_mib=1 << 20)
    with pytest.warns(RuntimeWarning, match="not enough memory for a transposition table of 1048576 MiB"):
        assert engine.best(BOARD, nodes=100).turn in BOARD.turns()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.best(BOARD, nodes=100)
        Engine("tuned", hash_mib=1).best(BOARD, nodes=100)


def test_a_win_is_found_and_proved():
    report = Engine().best(Position("00000/01200/00320/00000/00000 c2d4 a1a5 6"), depth=3)
    assert (report.turn, report.score_text) == ("c2-c3#", "win in 1")
    assert report.lines[0].is_proved


def test_an_analysis_shows_its_depths():
    seen = []
    report = Engine("tuned", hash_mib=1).analyze(BOARD, 4, depth=4, callback=seen.append)
    assert [found.depth for found in seen] == [1, 2, 3, 4]
    assert len(report.lines) == 4 and len({line.turn for line in report.lines}) == 4
    assert [line.score for line in report.lines] == sorted((line.score for line in report.lines), reverse=True)


def test_a_slow_callback_does_not_prolong_the_search():
    seen = []

    def slow(report):
        seen.append(report.depth)
        time.sleep(0.3)

    Engine("tuned", hash_mib=1).analyze(BOARD, 1, seconds=0.3, callback=slow)
    # Some depths take milliseconds, but two reports at most wait when the time is over.
    assert seen == list(range(1, len(seen) + 1)) and len(seen) <= 4


def test_an_error_of_the_callback_ends_the_search():
    def fail(report):
        raise KeyError("enough")

    began = time.monotonic()
    with pytest.raises(KeyError, match="enough"):
        Engine().analyze(BOARD, 1, seconds=60, callback=fail)
    assert time.monotonic() - began < 30


def test_an_interrupt_ends_the_search():
    threading.Timer(0.3, _thread.interrupt_main).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Engine().best(BOARD, seconds=60)
    assert time.monotonic() - began < 30


def test_threads_of_python_share_an_engine():
    engine = Engine(hash_mib=1)
    found = []
    ask = lambda: found.append(engine.best(BOARD, nodes=5000).turn)
    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and set(found) <= set(BOARD.turns())


def test_the_larger_board_and_cards():
    engine = Engine(hash_mib=1)
    for position in (Position.random(4, size=6), Position.random(4, cards=("Minotaur", "Pan"))):
        assert engine.best(position, nodes=2000).turn in position.turns()
    engine.clear()
    first = engine.place()
    second = engine.place(first)
    position = Position.start(first, second)
    assert isinstance(engine.evaluate(position), int)
    assert engine.place(size=6, cards=("Pan", "Atlas"), seconds=0.05)
    for limits in ({"nodes": 20_000}, {"depth": 2}):
        placed = Engine(hash_mib=1).place(cards=("Pan", "Atlas"), **limits)
        assert placed == Engine(hash_mib=1).place(cards=("Pan", "Atlas"), **limits)


def test_wrong_arguments_are_refused():
    engine = Engine()
    with pytest.raises(ValueError, match="pass nodes=, seconds= or depth="):
        engine.best(BOARD)
    with pytest.raises(ValueError, match="the game is over"):
        engine.best(Position("04440/44444/44444/44444/00444 a1e1 a5b5 9"), depth=1)
    with pytest.raises(ValueError, match="a time is greater than 0"):
        engine.best(BOARD, seconds=-1)
    with pytest.raises(ValueError, match="hash_mib"):
        Engine(hash_mib=0)
    with pytest.raises(FileNotFoundError):
        Engine("no such file")


def test_agents_play_legal_turns():
    for name in ("random", "alphabeta:depth=1", "mc:episodes=10", "engine:nodes=500"):
        agent = Agent(name, seed=1)
        first = agent.place()
        second = agent.place(first)
        position = Position.start(first, second)
        assert agent.turn(position) in position.turns()
    assert repr(Agent("random")) == 'santorini.Agent("random")'
    with pytest.raises(ValueError, match="5x5"):
        Agent("random").turn(Position.random(size=6))
    with pytest.raises(ValueError):
        Agent("nobody")


def test_levels_play_on_all_boards():
    highest = LevelPlayer.highest
    players = [LevelPlayer(level) for level in range(1, highest + 1)]
    elo = [player.elo for player in players]
    assert elo == sorted(set(elo)) and elo[0] == 0
    assert players[0].elo_interval == (0, 0)
    for player in players[1:]:
        low, high = player.elo_interval
        assert low < player.elo < high
    assert LevelPlayer.measured_with.startswith("bench ")
    for level in (1, 3, 5, highest):
        player = LevelPlayer(level, seed=2, seconds=0.1)
        assert player.level == level and player.about
        for position in (BOARD, Position.random(4, size=6), Position.random(4, cards=("Pan", "Atlas"))):
            turn = player.turn(position)
            assert turn in position.turns()
            assert level == highest or turn == LevelPlayer(level, seed=2).turn(position)
        first = player.place()
        assert Position.start(first, player.place(first))
        assert player.place(size=6, cards=("Pan", "Atlas"))
    for level in (0, highest + 1, "3"):
        with pytest.raises((TypeError, ValueError), match=f"level is .*; .* a whole number from 1 to {highest}"):
            LevelPlayer(level)
    with pytest.raises(ValueError, match="the game is over"):
        LevelPlayer(1).turn(Position("04440/44444/44444/44444/00444 a1e1 a5b5 9"))


def test_a_review_judges_each_turn():
    start, turns, last = played(1)
    review = Engine(hash_mib=1).review(Game(start, turns), nodes=500)
    assert [turn["played"] for turn in review["turns"]] == turns
    assert len(review["chances"]) == len(turns) + 1
    assert review["chances"][-1] == 1 - last.winner
    assert sum(player["turns"] for player in review["summary"]) == len(turns)
    assert {turn["judgement"] for turn in review["turns"]} <= {"best", "good", "inaccuracy", "mistake", "blunder"}
    assert all(0 <= line.chance <= 1 for line in Engine().best(BOARD, depth=2).lines)


def played(seed):
    agent = Agent("random", seed)
    position = start = Position.random(seed=seed)
    turns = []
    while not position.is_over:
        turns.append(agent.turn(position))
        position = position.play(turns[-1])
    return start, turns, position


def test_records_replay(tmp_path):
    path = tmp_path / "games.jsonl"
    games = []
    with path.open("w") as file:
        file.write('{"tournament": {}}\n')
        for number in range(3):
            start, turns, last = played(number)
            game = Game(start, turns, players=("A", "B"), number=number)
            assert game.winner == last.winner and len(game) == len(turns)
            file.write(game.to_json() + "\n")
            games.append(game)
        file.write('{"game": 3, "pla')
    read = list(read_games(path))
    assert [game.to_json() for game in read] == [game.to_json() for game in games]
    for game in read:
        positions = game.positions()
        assert len(positions) == len(game) + 1 and positions[-1].winner == game.winner
        assert [position.last_turn for position in positions[1:]] == game.turns
        assert game.ending in ("win", "no-turn-left") and game.players == ("A", "B")
        assert Game.from_json(game.to_dict()).to_json() == game.to_json()


def test_invalid_records_are_refused(tmp_path):
    with pytest.raises(OSError):
        read_games(tmp_path / "none")
    path = tmp_path / "bad.jsonl"
    path.write_text('{"game": 1}\n{"game": 2}\n')
    with pytest.raises(ValueError, match="line 1: not a game record"):
        list(read_games(path))
    for text, words in [("hello\n", "line 1: not a game"), (json.dumps([Game(BOARD, []).to_dict()]), "it is an array")]:
        path.write_text(text)
        with pytest.raises(ValueError, match=words):
            list(read_games(path))
    with pytest.raises(IllegalTurn):
        Game(BOARD, ["a1-a2+a1"])
    record = json.loads(Game(BOARD, []).to_json())
    assert record["ending"] == "interrupted" and record["winner"] is None
    with pytest.raises(ValueError, match="winner is 2"):
        Game.from_json({**record, "winner": 2})
