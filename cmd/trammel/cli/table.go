package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/internal/terminal"
)

const (
	columnGap   = 2
	narrowest   = 8 // columns are not cut below this
	cutMarkSize = 1
)

// Table prints rows in columns; the first row is the heading. On a terminal the
// widest columns are cut until a row fits; in a pipe nothing is.
func Table(w io.Writer, rows [][]string) error {
	if w == os.Stdout {
		rows = fit(rows, terminal.Width(os.Stdout))
	}
	tw := tabwriter.NewWriter(w, 0, 0, columnGap, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(tw, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	return tw.Flush()
}

// List prints a list: as JSON, or as a table whose first row is the heading. If
// the table is empty, it prints none.
func List(cmd *cobra.Command, asJSON bool, list any, rows [][]string, none string) error {
	w := cmd.OutOrStdout()
	switch {
	case asJSON:
		return JSON(w, list)
	case len(rows) == 1 && none != "":
		_, err := fmt.Fprintln(w, none)
		return err
	}
	return Table(w, rows)
}

// fit cuts the widest columns, evenly, until rows are at most so wide; 0 is any width.
func fit(rows [][]string, width int) [][]string {
	var columns []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			columns[i] = max(columns[i], utf8.RuneCountInString(cell))
		}
	}
	total := columnGap * (len(columns) - 1)
	for _, c := range columns {
		total += c
	}
	if width <= 0 || total <= width {
		return rows
	}
	for ; total > width; total-- {
		widest := 0
		for i, c := range columns {
			if c > columns[widest] {
				widest = i
			}
		}
		if columns[widest] <= narrowest {
			break
		}
		columns[widest]--
	}
	cut := make([][]string, len(rows))
	for r, row := range rows {
		for i, cell := range row {
			if runes := []rune(cell); len(runes) > columns[i] {
				cell = string(runes[:columns[i]-cutMarkSize]) + "…"
			}
			cut[r] = append(cut[r], cell)
		}
	}
	return cut
}
