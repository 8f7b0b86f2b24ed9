# A hostile player: attacks.py SANTORINI SEED ATTACK... makes the attacks before it answers,
# prints "NAME worked" or "NAME failed" for each on standard error, and then plays random
# turns. An attack works if it reaches something that is not the player's own.
import ctypes, os, resource, signal, socket, subprocess, sys, time

MARK = "SANTORINI_PLAYER"
OWN = os.environ[MARK]
REFEREE = int(OWN.split("-")[0])
LIBC = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def environment(process):
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def opponents():
    """The other players of this referee, as far as /proc shows them."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        for variable in environment(process):
            name, _, mark = variable.decode(errors="replace").partition("=")
            if name == MARK and mark != OWN and mark.startswith(f"{REFEREE}-"):
                found.append(int(process))
    if not found:
        raise OSError("sees no opponent")
    return found


def send(number):
    return lambda: [os.kill(process, number) for process in opponents()]


def trace():
    for process in opponents():
        check(LIBC.ptrace(16, process, None, None))  # PTRACE_ATTACH


def write_answer():
    for process in opponents():
        with open(f"/proc/{process}/fd/1", "w") as output:
            output.write("I resign\n")


def take_question():
    for process in opponents():
        os.close(os.open(f"/proc/{process}/fd/0", os.O_RDONLY | os.O_NONBLOCK))


def read_memory():
    for process in opponents() + [REFEREE]:
        with open(f"/proc/{process}/maps") as maps:
            start = int(next(maps).split("-")[0], 16)
        with open(f"/proc/{process}/mem", "rb") as memory:
            memory.seek(start)
            memory.read(1)


def read_referee():
    with open(f"/proc/{REFEREE}/environ", "rb") as file:
        if not file.read():
            raise OSError("empty")


def records():
    return os.path.join(os.getcwd(), "games.jsonl")


def rewrite():
    with open(records(), "r+") as file:
        text = file.read()
        file.seek(0)
        file.write(text.replace("Ada", "Bob", 1))


def cut():
    os.truncate(records(), 10)


def replace():
    with open("copy", "w") as file:
        file.write("{}\n")
    os.rename("copy", records())


def remove():
    os.unlink(records())


def write_file():
    with open("written", "w") as file:
        file.write("x")


def change_program():
    os.utime(sys.argv[0])
    with open(sys.argv[0], "a") as file:
        file.write("# changed\n")


def change_opponent():
    with open(os.environ["TEST_OPPONENT"], "a") as file:
        file.write("# changed\n")


def change_mode():
    os.chmod(os.environ["TEST_OPPONENT"], 0o777)


def change_times():
    os.utime(os.environ["TEST_OPPONENT"], (1, 1))


def change_attributes():
    os.setxattr(os.environ["TEST_OPPONENT"], "user.test", b"x")


def limit_cpu():
    for process in opponents() + [REFEREE]:
        resource.prlimit(process, resource.RLIMIT_CPU, (1, 1))


def slow_opponent():
    for process in opponents():
        os.setpriority(os.PRIO_PROCESS, process, 19)


def slow_down():
    os.setpriority(os.PRIO_PROCESS, REFEREE, 19)


def pin():
    os.sched_setaffinity(REFEREE, {0})


def open_pidfd():
    os.close(os.pidfd_open(REFEREE))


def offer_to_killer():
    with open(f"/proc/{REFEREE}/oom_score_adj", "w") as file:
        file.write("1000")


def mount():
    check(LIBC.mount(b"none", b"/mnt", b"tmpfs", 0, None))


def show_processes():
    check(LIBC.umount2(b"/proc", 2))


def connect():
    socket.create_connection(("127.0.0.1", int(os.environ["TEST_PORT"])), 1).close()


def connect_abstract():
    peer = socket.socket(socket.AF_UNIX)
    peer.connect("\0" + os.environ["TEST_SOCKET"])


def fill_disk():
    """Writes more than a player may to its own folder, and leaves nothing."""
    with open(os.path.join(os.environ["TMPDIR"], "big"), "wb", buffering=0) as file:
        try:
            for _ in range(80):
                if file.write(bytes(1 << 20)) < 1 << 20:
                    raise OSError("full")
        finally:
            os.unlink(file.name)


def fork():
    for _ in range(int(os.environ.get("TEST_FORKS", "80"))):
        subprocess.Popen(["sleep", "30"])
    time.sleep(5)


def allocate():
    blocks = [bytearray(b"x") * (8 << 20) for _ in range(30)]
    time.sleep(5)
    return blocks


def hide_memory():
    file = os.memfd_create("hidden")
    for _ in range(30):
        os.write(file, bytes(8 << 20))
    time.sleep(5)


def hide_segment():
    LIBC.shmat.restype = ctypes.c_void_p
    size = 240 << 20
    segment = check(LIBC.shmget(0, size, 0o600))  # IPC_PRIVATE
    place = ctypes.c_void_p(LIBC.shmat(segment, None, 0))
    ctypes.memset(place, 1, size)
    check(LIBC.shmdt(place))
    time.sleep(5)


def share_memory():
    """Holds 120 MB in four processes that share it, which is no attack."""
    block = bytearray(b"x") * (120 << 20)
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    time.sleep(1)
    return block


def change_settings():
    """Writes what is there already."""
    with open("/proc/sys/vm/swappiness", "r+") as file:
        text = file.read()
        file.seek(0)
        file.write(text)


def open_sysrq():
    os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))


def escape():
    """Leaves a process that keeps nothing of the player: no group, parent or mark."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", "1234"], {})
        os._exit(0)
    os.wait()


ATTACKS = {
    "kill": send(signal.SIGKILL),
    "end": send(signal.SIGTERM),
    "interrupt": send(signal.SIGINT),
    "stop": send(signal.SIGSTOP),
    "trace": trace,
    "write-answer": write_answer,
    "take-question": take_question,
    "read-memory": read_memory,
    "read-referee": read_referee,
    "kill-referee": lambda: os.kill(REFEREE, signal.SIGKILL),
    "stop-referee": lambda: os.kill(REFEREE, signal.SIGSTOP),
    "limit-cpu": limit_cpu,
    "slow-opponent": slow_opponent,
    "slow-down": slow_down,
    "pin": pin,
    "open-pidfd": open_pidfd,
    "offer-to-killer": offer_to_killer,
    "mount": mount,
    "show-processes": show_processes,
    "rewrite": rewrite,
    "cut": cut,
    "replace": replace,
    "remove": remove,
    "write-file": write_file,
    "change-program": change_program,
    "change-opponent": change_opponent,
    "change-mode": change_mode,
    "change-times": change_times,
    "change-attributes": change_attributes,
    "connect": connect,
    "connect-abstract": connect_abstract,
    "fill-disk": fill_disk,
    "fork": fork,
    "allocate": allocate,
    "hide-memory": hide_memory,
    "hide-segment": hide_segment,
    "share-memory": share_memory,
    "change-settings": change_settings,
    "open-sysrq": open_sysrq,
    "escape": escape,
}


def main():
    _, program, seed, *attacks = sys.argv
    # The opponent was started before the first question.
    time.sleep(float(os.environ.get("TEST_DELAY", "0.05")))
    for name in attacks:
        try:
            ATTACKS[name]()
            outcome = "worked"
        except OSError:
            outcome = "failed"
        print(name, outcome, file=sys.stderr, flush=True)
    os.execv(program, [program, "fake-player", "random", "--seed", seed])


main()
