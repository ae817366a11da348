// Runs Kafka's command line tools one after the other in one Java process: starting one for each would take most
// of the time. A command is a line on standard input: what the tool reads itself (its line ends written as \n), its
// class and its arguments, separated by tabs. The answer is a line with the exit code and two lengths, then what the
// tool printed on its two streams.

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.internals.Exit;

public class RunTools {
    /** Thrown instead of ending the process. Tools catch it and go on, so what comes after it is cut off. */
    static class Ended extends RuntimeException {
        Ended() {
            super("exit", null, false, false);
        }
    }

    static ByteArrayOutputStream out;
    static ByteArrayOutputStream err;
    static int code;
    static int outBytes;
    static int errBytes;
    // What a tool asks Kafka to do when its process ends.
    static final List<Runnable> atEnd = new ArrayList<>();

    static void end(int exitCode) {
        if (code >= 0) return;
        code = exitCode;
        List<Runnable> hooks = new ArrayList<>(atEnd);
        atEnd.clear();
        hooks.forEach(Runnable::run);
        System.out.flush();
        System.err.flush();
        outBytes = out.size();
        errBytes = err.size();
    }

    static void run(String tool, String[] arguments) throws ReflectiveOperationException {
        try {
            Class.forName(tool).getMethod("main", String[].class).invoke(null, (Object) arguments);
            end(0);
        } catch (InvocationTargetException thrown) {
            if (!(thrown.getCause() instanceof Ended)) System.err.println(thrown.getCause());
            end(1);
        }
    }

    public static void main(String[] none) throws Exception {
        PrintStream answers = System.out;
        Exit.Procedure procedure = (exitCode, message) -> {
            end(exitCode);
            throw new Ended();
        };
        Exit.setExitProcedure(procedure);
        Exit.setHaltProcedure(procedure);
        Exit.setShutdownHookAdder((name, hook) -> atEnd.add(hook));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = commands.readLine()) != null; ) {
            String[] words = line.split("\t", -1);
            out = new ByteArrayOutputStream();
            err = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            System.setIn(new ByteArrayInputStream(words[0].replace("\\n", "\n").getBytes(StandardCharsets.UTF_8)));
            code = -1;
            run(words[1], Arrays.copyOfRange(words, 2, words.length));
            answers.println(code + " " + outBytes + " " + errBytes);
            answers.write(out.toByteArray(), 0, outBytes);
            answers.write(err.toByteArray(), 0, errBytes);
            answers.flush();
        }
    }
}
