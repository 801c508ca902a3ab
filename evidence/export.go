package evidence

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Export writes the records that the filter wants: as "jsonl", the lines as
// they are, so that a complete export can be verified like the log itself, or
// as "csv", a table with a header.
func Export(w io.Writer, dir, format string, f Filter) error {
	switch format {
	case "jsonl":
		return each(dir, f, func(l *listed) error {
			if _, err := w.Write(l.data); err != nil {
				return err
			}
			_, err := io.WriteString(w, "\n")
			return err
		})
	case "csv":
		return exportCSV(w, dir, f)
	}
	return fmt.Errorf("unknown format %q, expected jsonl or csv", format)
}

// CSVStart is how an export as "csv" begins.
const CSVStart = "seq,id,time,"

func exportCSV(w io.Writer, dir string, f Filter) error {
	out := csv.NewWriter(w)
	out.Write([]string{"seq", "id", "time", "host", "event", "session", "tool", "action", "summary", "decision", "reason", "hooks", "micros",
		"error", "hash"})
	err := each(dir, f, func(l *listed) error {
		e, _, err := l.entry()
		if err != nil {
			return err
		}
		r := &l.row
		return out.Write([]string{
			strconv.FormatUint(r.Seq, 10), r.ID, r.Time.UTC().Format(time.RFC3339Nano), Cell(r.Host), Cell(r.Event), Cell(r.Session),
			Cell(r.Tool), Cell(r.Action), Cell(r.Summary), r.Decision, Cell(r.Reason), Cell(strings.Join(r.Hooks, " ")),
			strconv.FormatInt(r.Micros, 10), Cell(r.Error), e.Hash,
		})
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// Cell keeps a spreadsheet from reading a text as a formula. Some of them skip
// blanks and line breaks before it, or read wide signs.
func Cell(text string) string {
	first := strings.TrimLeftFunc(text, unicode.IsSpace)
	if strings.IndexAny(first, "=+-@＝＋－＠") == 0 || strings.IndexAny(text, "\t\r\n") == 0 {
		return "'" + text
	}
	return text
}
