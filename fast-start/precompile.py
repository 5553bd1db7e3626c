"""Adds compiled modules to zip files of Python, from which each start would compile them again: precompile.py FILE.zip..."""
import importlib.util
import marshal
import os
import shutil
import sys
import zipfile

for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as old:
        sources = [entry for entry in old.infolist() if not entry.filename.endswith(".pyc")]
        with zipfile.ZipFile(f"{path}.new", "w", zipfile.ZIP_DEFLATED) as new:
            for entry in sources:
                content = old.read(entry)
                new.writestr(entry, content, zipfile.ZIP_DEFLATED)
                if not entry.filename.endswith(".py"):
                    continue
                try:
                    code = compile(content, f"{path}/{entry.filename}", "exec", dont_inherit=True)
                except SyntaxError:
                    continue  # for another version of Python; as before, importing it fails
                # The flag 1: valid without a comparison with the source.
                header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(content)
                compiled = header + marshal.dumps(code)
                new.writestr(f"{entry.filename}c", compiled, zipfile.ZIP_DEFLATED)
    shutil.copystat(path, f"{path}.new")
    os.replace(f"{path}.new", path)
