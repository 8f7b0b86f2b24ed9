// A player for Santorini with god cards: it wins if it can, and otherwise plays any legal turn.
// The rules, the cards and the JSON: santorini help rules
import java.util.*;
import java.util.regex.*;
import java.util.stream.IntStream;

class CardPlayer {
    static boolean near(int a, int b) { // spaces are 0 to 24, row by row
        return a != b && Math.abs(a / 5 - b / 5) < 2 && Math.abs(a % 5 - b % 5) < 2;
    }

    record Board(String card, int[] workers, int[] levels) { // mine are workers 0 and 1; the card is mine
        int workerAt(int space) { // -1 if there is none
            return IntStream.range(0, 4).filter(i -> workers[i] == space).findFirst().orElse(-1);
        }
        Board moved(int worker, int space) {
            int[] moved = workers.clone();
            moved[worker] = space;
            return new Board(card, moved, levels);
        }
        Board built(int space, int level) {
            int[] built = levels.clone();
            built[space] = level;
            return new Board(card, workers, built);
        }
        boolean mayBuild(int from, int space) {
            return space >= 0 && space < 25 && near(from, space) && workerAt(space) < 0 && levels[space] < 4;
        }
        int[] builds(int from) {
            return IntStream.range(0, 25).filter(space -> mayBuild(from, space)).toArray();
        }
    }

    static class Turns { // the boards after all legal turns
        final List<Board> winning = new ArrayList<>(), others = new ArrayList<>();

        Turns(Board board) {
            for (int me = 0; me < 2; me++) {
                move(board, me, 1, -1);
                if (!board.card.equals("Prometheus")) continue;
                for (int space : board.builds(board.workers[me])) move(board.built(space, board.levels[space] + 1), me, 0, -1);
            }
        }

        void move(Board board, int me, int climb, int before) { // before: the space that Artemis came from, or -1
            int from = board.workers[me], low = board.levels[from];
            for (int to = 0; to < 25; to++) {
                int high = board.levels[to], other = board.workerAt(to), behind = 2 * to - from;
                if (!near(from, to) || to == before || high > Math.min(low + climb, 3) || other == 1 - me) continue;
                Board after = board.moved(me, to);
                if (other > 1) {
                    if (board.card.equals("Apollo")) after = after.moved(other, from);
                    else if (board.card.equals("Minotaur") && board.mayBuild(to, behind)) after = after.moved(other, behind);
                    else continue;
                }
                if (high == 3 && low < 3 || board.card.equals("Pan") && low > high + 1) {
                    winning.add(after);
                    continue;
                }
                build(after, to);
                if (board.card.equals("Artemis") && before < 0) move(after, me, 1, from);
            }
        }

        void build(Board board, int from) {
            for (int space : board.builds(from)) {
                int level = board.levels[space] + 1;
                Board built = board.built(space, level);
                others.add(built);
                if (board.card.equals("Atlas") && level < 4) others.add(built.built(space, 4));
                if (board.card.equals("Hephastus") && level < 3) others.add(built.built(space, level + 1));
                if (!board.card.equals("Demeter")) continue;
                for (int more : built.builds(from)) if (more != space) others.add(built.built(more, built.levels[more] + 1));
            }
        }
    }

    static int[] numbers(String text, String word) { // all numbers after the word
        var digits = Pattern.compile("\\d+").matcher(text.substring(text.indexOf(word)));
        return digits.results().mapToInt(found -> Integer.parseInt(found.group())).toArray();
    }
    static String player(String card, int a, int b) {
        return "{\"card\":\"%s\",\"tokens\":[[%d,%d],[%d,%d]]}".formatted(card, a / 5 + 1, a % 5 + 1, b / 5 + 1, b % 5 + 1);
    }

    static String answer(String line) {
        var names = Pattern.compile("\"card\"\\s*:\\s*\"(\\w+)\"").matcher(line).results();
        var cards = names.map(name -> name.group(1)).toList();
        String mine = cards.get(0), theirs = cards.get(1);
        int[] n = numbers(line, line.startsWith("[") ? "[" : "\"players\"");
        int[] w = IntStream.range(0, Math.min(n.length / 2, 4)).map(i -> 5 * n[2 * i] + n[2 * i + 1] - 6).toArray();
        if (line.startsWith("[")) { // place both workers
            List<Integer> free = new ArrayList<>(IntStream.range(0, 25).boxed().toList());
            for (int space : w) free.remove((Integer) space);
            Collections.shuffle(free);
            String other = w.length == 2 ? player(theirs, w[0], w[1]) : "{\"card\":\"" + theirs + "\"}";
            return "[" + other + "," + player(mine, free.get(0), free.get(1)) + "]";
        }
        var turns = new Turns(new Board(mine, w, Arrays.copyOf(numbers(line, "\"spaces\""), 25)));
        var best = turns.winning.isEmpty() ? turns.others : turns.winning;
        Board after = best.get(new Random().nextInt(best.size()));
        int[] end = after.workers;
        String players = player(theirs, end[2], end[3]) + "," + player(mine, end[0], end[1]);
        var rows = IntStream.range(0, 5).mapToObj(i -> Arrays.toString(Arrays.copyOfRange(after.levels, 5 * i, 5 * i + 5)));
        int turn = numbers(line, "\"turn\"")[0] + 1;
        return "{\"players\":[" + players + "],\"spaces\":" + rows.toList() + ",\"turn\":" + turn + "}";
    }

    public static void main(String[] arguments) {
        new Scanner(System.in).useDelimiter("\n").forEachRemaining(line -> System.out.println(answer(line)));
    }
}
