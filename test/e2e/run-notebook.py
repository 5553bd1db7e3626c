"""Executes a notebook as Jupyter does, in a kernel, and prints the outputs of each cell with an id as JSON.

    run-notebook.py NOTEBOOK
"""
import json
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=480, kernel_name="python3").execute()


def text_of(output):
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue.splitlines()[0]}"
    return output.data["text/plain"]


# Spark shows its progress on the standard error.
cells = {cell.id: [text_of(output) for output in cell.outputs if output.get("name") != "stderr"] for cell in notebook.cells if cell.cell_type == "code"}
print(json.dumps(cells))
