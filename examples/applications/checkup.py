"""Checks in the driver and in each executor that a pod is what its user asked for.

    checkup.py FILE

FILE is JSON. For `driver` and `executor` it says what to look at, and as regular expressions what to find there:

    env         variables
    files       content of files
    folders     names in folders, one of which must fit
    writable    folders that a file can be written to
    hosts       addresses of names
    status      fields of /proc/self/status
    processes   command lines, one of which must fit

and for the driver also the properties `spark`, `hadoop` and `java`. What does not fit is printed, and the program fails.
"""
import json
import os
import re
import socket
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession


def content(path: str) -> str:
    return Path(path).read_text().strip()


def written(folder: str) -> str:
    with tempfile.TemporaryFile(dir=folder):
        return "yes"


def status(field: str) -> str:
    return re.search(rf"^{field}:\s*(.*)$", content("/proc/self/status"), re.MULTILINE).group(1).strip()


def command_lines(_: str) -> list[str]:
    return [path.read_text().replace("\0", " ").strip() for path in Path("/proc").glob("[0-9]*/cmdline")]


def variable(name: str) -> str:
    return os.environ[name]


LOOK = {"env": variable, "files": content, "folders": os.listdir, "writable": written, "hosts": socket.gethostbyname, "status": status, "processes": command_lines}


def differences(expected: dict, look: dict) -> list[str]:
    """What is not as expected. A value that is a list fits if one of its items does."""
    found = []
    for kind, expectations in expected.items():
        for name, pattern in expectations.items():
            try:
                value = look[kind](name)
            except (OSError, LookupError, AttributeError) as error:
                found.append(f"{kind} {name}: {error!r} instead of {pattern!r}")
                continue
            if not any(re.fullmatch(pattern, str(item), re.DOTALL) for item in (value if isinstance(value, list) else [value])):
                found.append(f"{kind} {name}: {value!r} instead of {pattern!r}")
    return found


def main() -> None:
    expected = json.loads(content(sys.argv[1]))
    spark = SparkSession.builder.getOrCreate()
    context = spark.sparkContext
    properties = {
        "spark": context.getConf().get,
        "hadoop": context._jsc.hadoopConfiguration().get,
        "java": context._jvm.java.lang.System.getProperty,
    }
    executors = int(context.getConf().get("spark.executor.instances", "1"))
    in_executors = context.parallelize(range(executors), executors).flatMap(lambda _: differences(expected["executor"], LOOK)).collect()
    found = [f"driver: {text}" for text in differences(expected["driver"], LOOK | properties)] + [f"executor: {text}" for text in in_executors]
    if found:
        raise SystemExit("Not as expected:\n" + "\n".join(found))
    print(f"All is as expected in the driver and in {executors} executors")
    spark.stop()


if __name__ == "__main__":
    main()
