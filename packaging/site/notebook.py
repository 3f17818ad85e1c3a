"""A notebook as a page of the site, with what its cells answered.

python packaging/site/notebook.py NOTEBOOK.ipynb PAGE.md
"""

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def blocks(notebook: dict[str, Any], folder: Path, name: str) -> Iterator[str]:
    """The page's blocks; pictures are written into the folder."""
    for number, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield text
            continue
        yield f"```python\n{text}\n```"
        for out in cell["outputs"]:
            data = out.get("data", {})
            if "image/png" in data:
                picture = f"{name}-{number}.png"
                (folder / picture).write_bytes(base64.b64decode(data["image/png"]))
                yield f"![What the cell above draws]({picture})"
            elif text := "".join(out.get("text", ())) or "".join(data.get("text/plain", ())):
                yield f"```text\n{text.rstrip()}\n```"


def main(notebook: Path, page: Path) -> None:
    """Writes the page, and its pictures beside it."""
    page.parent.mkdir(parents=True, exist_ok=True)
    read = json.loads(notebook.read_text())
    page.write_text("\n\n".join(blocks(read, page.parent, page.stem)) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
