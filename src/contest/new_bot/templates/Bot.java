// A bot for the Santorini server that plays any legal turn (santorini help protocol).
//   java -cp . Bot HOST PORT NAME
import java.io.*;
import java.net.Socket;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

class Bot {
    static int moved; // the worker that moved last, which builds
    static void fail(String why) { System.err.println(why); System.exit(1); }

    static List<Integer> numbers(String text) {
        return Pattern.compile("\\d+").matcher(text).results().map(found -> Integer.parseInt(found.group())).toList();
    }

    // The spaces of the workers in the last list of a text: x + 6 y, from 0 to 35.
    static List<Integer> workers(String text) {
        List<Integer> xy = numbers(text.substring(text.lastIndexOf('[') + 1));
        return IntStream.range(0, xy.size() / 2).map(i -> xy.get(2 * i) + 6 * xy.get(2 * i + 1)).boxed().toList();
    }

    static boolean near(int a, int b) { return a != b && Math.abs(a / 6 - b / 6) < 2 && Math.abs(a % 6 - b % 6) < 2; }
    static int any(IntStream choices) {
        int[] all = choices.toArray();
        return all[new Random().nextInt(all.length)];
    }

    static String answer(String status, List<Integer> floors, List<Integer> mine, List<Integer> theirs) {
        IntStream free = IntStream.range(0, 36).filter(space -> !mine.contains(space) && !theirs.contains(space));
        if (status.equals("moveWorker")) { // a move is 36 times the worker and its space
            IntStream moves = free.flatMap(to -> IntStream.of(to, 36 + to)).filter(move -> near(mine.get(move / 36), move % 36)
                && floors.get(move % 36) <= Math.min(floors.get(mine.get(move / 36)) + 1, 3));
            int move = any(moves);
            moved = move / 36;
            return (moved + 1) + " " + move % 6 + " " + move % 36 / 6;
        }
        int space = any(status.equals("placeWorker") ? free : free.filter(to -> near(mine.get(moved), to) && floors.get(to) < 4));
        return space % 6 + " " + space / 6;
    }

    public static void main(String[] words) throws IOException {
        if (words.length != 3) fail("usage: java Bot HOST PORT NAME");
        Socket server = new Socket(words[0], Integer.parseInt(words[1]));
        PrintWriter out = new PrintWriter(new OutputStreamWriter(server.getOutputStream(), "UTF-8"), true);
        out.println(words[2]); // which also flushes
        String name = words[2].replace("\\", "\\\\").replace("\"", "\\\""); // as in JSON
        var lines = new BufferedReader(new InputStreamReader(server.getInputStream(), "UTF-8"));
        for (String line; (line = lines.readLine()) != null; ) {
            if (line.startsWith("\"")) System.out.println(line); // a remark to people
            if (line.startsWith("\"final table")) return;
            String[] state = line.split(Pattern.quote("\",\"" + name + "\",[["), 2);
            if (state.length < 2 || state[0].endsWith("gameOver")) continue; // another bot is to answer, or the game is over
            String[] board = state[1].split("\\]\\]", 2), own = board[1].split(Pattern.quote("[\"" + name + "\",["), 2);
            List<Integer> theirs = workers(own[0].equals(",") ? own[1] : own[0]);
            out.println(answer(state[0].substring(2), numbers(board[0]), workers(own[1].split("]", 2)[0]), theirs));
        }
        fail("the connection ended before the final table");
    }
}
