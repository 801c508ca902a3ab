package cli

import (
	"bufio"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/internal/visible"
)

const (
	columnGap   = 2
	narrowest   = 8    // texts are not cut below this
	comfortable = 28   // rather than cutting texts below this, columns are left out
	measured    = 1000 // this many rows determine the widths
)

// texts are the columns that are cut on a narrow terminal. Ids, names, times and
// numbers are never cut, so that they can be copied.
var texts = []string{"", "ABOUT", "CALL", "CAN", "CHANGE", "DEFAULT", "DENIED BY", "DETAIL", "DIAGNOSTICS", "DOES", "FROM", "LAST ONE",
	"MATCH", "MATCH_SUMMARY", "NEEDS", "ON", "PLACE", "PROJECT", "REASON", "SOURCE", "STATUS", "TAKEN", "TOOL", "TYPE", "WHAT",
	"WHAT IT DOES", "WHEN", "WHY"}

// places are texts whose end says the most: the file, the line.
var places = []string{"FROM", "PLACE", "PROJECT", "SOURCE"}

// leftOut are the columns that a narrow terminal can do without, in the order
// in which they are left out.
var leftOut = []string{"RECORDS", "RECORD", "SOURCE", "PLACE", "FIRST", "HOST", "ENTRYPOINT", "INPUT", "OUTPUT", "RUNTIME", "SCOPE",
	"EVENT", "NEEDS", "ON", "BUNDLE", "STOPPED ANYWAY", "OTHER", "SESSIONS", "SUM", "DIGEST", "ACTOR", "MAY", "SESSION", "TYPE", "DEFAULT"}

// Table prints rows in columns; the first row is the heading. On a terminal a
// row fits into a line if it can: columns are left out and texts are cut. In a
// pipe everything is printed.
func Table(w io.Writer, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	c := NewColumns(w, rows[0]...)
	for _, row := range rows[1:] {
		c.Add(row)
	}
	return c.Flush()
}

// List prints a list: as JSON, or as a table whose first row is the heading. If
// the table is empty, it prints none.
func List(cmd *cobra.Command, asJSON bool, list any, rows [][]string, none string) error {
	w := cmd.OutOrStdout()
	switch {
	case asJSON:
		return JSON(w, list)
	case len(rows) == 1 && none != "":
		_, err := io.WriteString(w, none+"\n")
		return err
	}
	return Table(w, rows)
}

// Columns is a table whose rows are printed as they arrive. The first rows
// determine the widths.
type Columns struct {
	out     *bufio.Writer
	width   int // of the terminal, 0 for any
	heading []string
	first   [][]string // not printed yet
	natural []int      // how wide columns would be if nothing were cut
	widths  []int      // of columns as they are printed; -1 if one is left out
}

// NewColumns makes a table with this heading.
func NewColumns(w io.Writer, heading ...string) *Columns {
	c := &Columns{out: bufio.NewWriterSize(w, 64<<10), heading: heading, first: [][]string{heading}}
	if IsStdout(w) {
		c.width = terminal.Width(os.Stdout)
	}
	return c
}

// Add adds a row. Cells are one line of visible text each: no model, project or
// person can move the others, or color them.
func (c *Columns) Add(row []string) {
	row = slices.Clone(row)
	for i, cell := range row {
		row[i] = visible.Line(cell)
	}
	switch {
	case c.widths != nil:
		c.next(row)
	case len(c.first) == measured:
		c.begin()
		c.next(row)
	default:
		c.first = append(c.first, row)
	}
}

// Flush prints what was not printed yet.
func (c *Columns) Flush() error {
	if c.widths == nil {
		c.begin()
	}
	return c.out.Flush()
}

func (c *Columns) begin() {
	c.natural = widen(nil, c.first...)
	c.widths = fit(c.heading, c.natural, c.width)
	for _, row := range c.first {
		c.print(row)
	}
	c.first = nil
}

// next prints a row after the first ones. On a terminal a wider cell makes its column
// wider; in a pipe it only moves the rest of its row.
func (c *Columns) next(row []string) {
	if c.width > 0 {
		c.natural = widen(c.natural, row)
		c.widths = fit(c.heading, c.natural, c.width)
	}
	c.print(row)
}

func (c *Columns) print(row []string) {
	blanks := 0 // that are due before the next cell
	for i, cell := range row {
		room := 0
		if i < len(c.widths) {
			room = c.widths[i]
		}
		if room < 0 {
			continue
		}
		size := utf8.RuneCountInString(cell)
		if c.width > 0 && size > room && isText(c.heading, i) {
			cell, size = cut(cell, room, c.isPlace(i)), room
		}
		if size > 0 {
			for ; blanks > 0; blanks-- {
				c.out.WriteByte(' ')
			}
			c.out.WriteString(cell)
		}
		blanks += max(room-size, 0) + columnGap
	}
	c.out.WriteByte('\n')
}

// cut shortens a text to this many runes: at its end, or in its first half.
func cut(text string, room int, end bool) string {
	runes := []rune(text)
	first := room - 1
	if end {
		first = room / 4
	}
	return string(runes[:first]) + "…" + string(runes[len(runes)-(room-1-first):])
}

func (c *Columns) isPlace(i int) bool {
	return i < len(c.heading) && slices.Contains(places, strings.ToUpper(c.heading[i]))
}

// widen makes columns wide enough for these rows.
func widen(widths []int, rows ...[]string) []int {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

func isText(heading []string, i int) bool {
	return i >= len(heading) || slices.Contains(texts, strings.ToUpper(heading[i]))
}

// fit makes columns so narrow that a row has at most width runes; 0 is any
// width. A column that is left out gets -1.
func fit(heading []string, natural []int, width int) []int {
	widths := slices.Clone(natural)
	total := func(atMost int) (sum int) {
		for i, w := range widths {
			switch {
			case w < 0:
				continue
			case isText(heading, i):
				w = min(w, atMost)
			}
			sum += w + columnGap
		}
		return sum - columnGap
	}
	for _, name := range leftOut {
		if width <= 0 || total(comfortable) <= width {
			break
		}
		if i := slices.Index(heading, name); i > 0 {
			widths[i] = -1
		}
	}
	most := slices.Max(widths)
	for width > 0 && most > narrowest && total(most) > width {
		most--
	}
	for i, w := range widths {
		if isText(heading, i) {
			widths[i] = min(w, most)
		}
	}
	return widths
}
