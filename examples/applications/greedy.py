"""Takes more memory than its driver has.

    greedy.py MEBIBYTES
"""
import sys


def main() -> None:
    taken = [b"\1" * 2**20 for _ in range(int(sys.argv[1]))]
    print(f"Took {len(taken)} MiB")


if __name__ == "__main__":
    main()
