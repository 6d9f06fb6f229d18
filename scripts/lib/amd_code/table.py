# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table as text in columns, or in Markdown."""


class Table:
    def __init__(self, headings, markdown=False):
        self.headings, self.markdown, self.rows = tuple(headings), markdown, []

    def add(self, cells):
        row = tuple(str(cell) for cell in cells)
        if len(row) != len(self.headings):
            raise ValueError(f"{len(row)} cells under {len(self.headings)} headings")
        self.rows.append(row)

    def text(self):
        if self.markdown:
            rule = tuple("---" for _ in self.headings)
            return "\n".join(f"| {' | '.join(row)} |" for row in (self.headings, rule, *self.rows))
        rows = [self.headings, *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.headings))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
