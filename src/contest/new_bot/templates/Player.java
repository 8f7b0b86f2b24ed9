// A player for Santorini: it wins if it can, and otherwise plays any legal turn (santorini help rules).
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

class Player {
    static int[] numbers(String text, String word) { // all numbers after the word
        var digits = Pattern.compile("\\d+").matcher(text.substring(text.indexOf(word)));
        return digits.results().mapToInt(found -> Integer.parseInt(found.group())).toArray();
    }

    static int[] workers(int[] n) { // the spaces of up to four workers: 0 to 24, row by row
        return IntStream.range(0, Math.min(n.length / 2, 4)).map(i -> 5 * n[2 * i] + n[2 * i + 1] - 6).toArray();
    }

    static IntStream free(int[] workers) { // the spaces without a worker
        return IntStream.range(0, 25).filter(space -> IntStream.of(workers).noneMatch(w -> w == space));
    }

    static boolean near(int a, int b) {
        return a != b && Math.abs(a / 5 - b / 5) < 2 && Math.abs(a % 5 - b % 5) < 2;
    }
    static String pair(int a, int b) {
        return "[[%d,%d],[%d,%d]]".formatted(a / 5 + 1, a % 5 + 1, b / 5 + 1, b % 5 + 1);
    }

    static String place(int[] taken) {
        List<Integer> open = new ArrayList<>(free(taken).boxed().toList());
        Collections.shuffle(open);
        String first = taken.length == 0 ? "" : pair(taken[0], taken[1]) + ",";
        return "[" + first + pair(open.get(0), open.get(1)) + "]";
    }

    static String play(int[] workers, int[] level, int turn) { // mine are workers 0 and 1
        List<String> turns = new ArrayList<>();
        for (int mine = 0; mine < 2; mine++) {
            int from = workers[mine];
            for (int to : free(workers).filter(space -> near(from, space)).toArray()) {
                if (level[to] > Math.min(level[from] + 1, 3)) continue;
                int[] w = workers.clone();
                w[mine] = to;
                String after = "{\"players\":[" + pair(w[2], w[3]) + "," + pair(w[0], w[1]) + "],\"turn\":" + (turn + 1);
                for (int at : free(w).filter(space -> near(to, space) && level[space] < 4).toArray()) {
                    int[] built = level.clone();
                    if (level[to] < 3) built[at]++; // a win has no build
                    var rows = IntStream.range(0, 5).mapToObj(i -> Arrays.toString(Arrays.copyOfRange(built, 5 * i, 5 * i + 5)));
                    turns.add(after + ",\"spaces\":" + rows.toList() + "}");
                }
                if (level[to] == 3) return turns.get(turns.size() - 1);
            }
        }
        return turns.get(new Random().nextInt(turns.size()));
    }

    public static void main(String[] arguments) {
        new Scanner(System.in).useDelimiter("\n").forEachRemaining(line -> System.out.println(line.startsWith("[")
            ? place(workers(numbers(line, "[")))
            : play(workers(numbers(line, "\"players\"")), numbers(line, "\"spaces\""), numbers(line, "\"turn\"")[0])));
    }
}
