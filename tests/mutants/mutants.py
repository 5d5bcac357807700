#!/usr/bin/env python3
"""Makes each fault of mutations.py in a copy of this tree, one at a time, and runs the tests on it: a fault
that no test sees is a test that is missing, and fails.

  mutants.py [WORD]   only those whose description has WORD in it

The goldens and the documents are left out but for faults of their own: they hold what the program printed,
and whoever has them rewritten without reading would have the fault written in. What is left has to know the
right values. The copy and its build stay in build-mutants, so that the next run compiles little.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from mutations import MUTATIONS, Mutation

SOURCE = Path(__file__).resolve().parent.parent.parent
COPY = SOURCE / "build-mutants"
BUILD = COPY / "build"
PRINTED = "*Golden*:Documents*"
LONGEST = 900  # seconds: a fault may well make a loop endless


def copy_tree() -> None:
    """What differs only, since a file's time is what the build goes by."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=SOURCE, check=True, capture_output=True, text=True).stdout.split("\0")
    names = {name for name in listed if name and (SOURCE / name).is_file()}
    there = {path.relative_to(COPY).as_posix() for path in COPY.rglob("*")
             if path.is_file() and BUILD not in path.parents}
    for name in there - names:
        (COPY / name).unlink()
    for name in names:
        copied = COPY / name
        if name not in there or copied.read_bytes() != (SOURCE / name).read_bytes():
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(SOURCE / name, copied)
            shutil.copymode(SOURCE / name, copied)


def build() -> str:
    """What the compiler says, if it does not succeed."""
    made = subprocess.run(["cmake", "--build", BUILD, "-j", str(os.cpu_count()), "--target", "mha_tests"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if made.returncode == 0 else made.stdout


def configure() -> None:
    options = ["-DMHA_TESTS=ON", "-DMHA_TOGETHER=OFF", "--log-level=WARNING"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    subprocess.run(["cmake", "-S", COPY, "-B", BUILD, *options], check=True, stdout=subprocess.DEVNULL)


def first_failure(printed: bool) -> str:
    """The test that fails, hangs or ends the program, and nothing if none does."""
    chosen = PRINTED if printed else "-" + PRINTED
    log = BUILD / "tests.log"
    with open(log, "w") as out:
        try:
            status = subprocess.run([BUILD / "tests" / "mha_tests", "--gtest_fail_fast", f"--gtest_filter={chosen}"],
                                    cwd=BUILD, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                    timeout=LONGEST).returncode
        except subprocess.TimeoutExpired:
            status = None
    if status == 0:
        return ""
    text = log.read_text(errors="replace")
    failed = re.search(r"^\[  FAILED  \] ([\w./]+)", text, re.MULTILINE)
    if failed:
        return failed[1]
    last = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)[-1:] or ["before the first test"]
    return last[0] + (" (no end)" if status is None else " (the program ended)")


def outcome(mutation: Mutation) -> str:
    """The name of the test that saw the fault, `survived` or what is wrong with the mutation."""
    path = COPY / mutation.file
    text = path.read_text()
    if text.count(mutation.text) != 1:
        return f"its text stands {text.count(mutation.text)} times in {mutation.file}, and has to once"
    path.write_text(text.replace(mutation.text, mutation.becomes))
    try:
        complaint = build()
        if complaint:
            return "does not compile:\n" + complaint
        killer = first_failure(printed=mutation.file.startswith("golden/"))
        return f"killed by {killer}" if killer else "survived"
    finally:
        path.write_text(text)


def main() -> int:
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [mutation for mutation in MUTATIONS if word in mutation.breaks]
    if not chosen:
        print(f"mutants: no fault has '{word}' in its description", file=sys.stderr)
        return 2
    copy_tree()
    configure()
    complaint = build()
    # Tests that are red anyway would see every fault.
    failure = complaint or first_failure(printed=False) or first_failure(printed=True)
    if failure:
        print(f"mutants: without any fault: {failure}", file=sys.stderr)
        return 1
    alive = 0
    for mutation in chosen:
        told = outcome(mutation)
        alive += not told.startswith("killed")
        print(f"{mutation.breaks}\n    {told}", flush=True)
    print(f"{len(chosen)} faults, {alive} not seen by any test")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
