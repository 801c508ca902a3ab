package packcmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/packs"
)

func batchCmd() *cobra.Command {
	var flags calling
	var hook string
	var quiet bool
	cmd := &cobra.Command{Use: "batch DIRECTORY FILE", Args: cobra.ExactArgs(2)}
	asJSON := cmd.Flags().Bool("json", false, "print the summary as JSON")
	flags.flags(cmd)
	cmd.Flags().StringVar(&hook, "hook", "", "every line is a payload for this hook")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only the summary")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := openPack(args[0])
		if err != nil {
			return err
		}
		o, err := flags.options()
		if err != nil {
			return err
		}
		in, size, err := openLines(cmd, args[1])
		if err != nil {
			return err
		}
		defer in.Close()
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		s := p.Session(o)
		bar := &progress{in: in, size: size, shown: terminal.Is(os.Stderr) && !quiet}
		out := json.NewEncoder(cmd.OutOrStdout())
		out.SetEscapeHTML(false)
		b := packs.Batch{Session: s, Hook: hook, Each: func(line int, o packs.Outcome, wrong []string) error {
			bar.step()
			for _, w := range wrong {
				fmt.Fprintf(cmd.ErrOrStderr(), "line %d, %s: %s\n", line, o.Hook, w)
			}
			if quiet {
				return nil
			}
			return out.Encode(o.Report())
		}}
		sum, err := b.Run(ctx, bar)
		bar.done()
		if closing := s.Close(); err == nil {
			err = closing
		}
		if telling := tellSummary(cmd.ErrOrStderr(), sum, *asJSON); err == nil {
			err = telling
		}
		if err == nil && sum.Unexpected > 0 {
			return cli.Exit(1)
		}
		return err
	}
	return cmd
}

func openLines(cmd *cobra.Command, path string) (io.ReadCloser, int64, error) {
	if path == "-" {
		return io.NopCloser(cmd.InOrStdin()), 0, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		f.Close()
		return nil, 0, errors.Join(err, fmt.Errorf("%s: expected a file of JSON lines", path))
	}
	return f, info.Size(), nil
}

func tellSummary(w io.Writer, s packs.Summary, asJSON bool) error {
	if asJSON {
		return cli.JSON(w, s)
	}
	rate := 0.0
	if s.Took > 0 {
		rate = float64(s.Calls) / s.Took.Seconds()
	}
	fmt.Fprintf(w, "%d calls in %v (%.0f a second, %d starts): %d valid, %d not valid, %d failed, %d not as expected\n",
		s.Calls, plural.Took(s.Took), rate, s.Starts, s.Valid, s.Invalid, s.Failed, s.Unexpected)
	for _, f := range slices.Sorted(maps.Keys(s.Failures)) {
		fmt.Fprintf(w, "  %d × %s\n", s.Failures[f], f)
	}
	return nil
}

// progress reads the file of a batch and draws how far it is, for a person.
type progress struct {
	in    io.Reader
	size  int64
	read  int64
	calls int
	shown bool
	last  time.Time
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.in.Read(b[:min(len(b), 64<<10)])
	p.read += int64(n)
	return n, err
}

func (p *progress) step() {
	p.calls++
	if !p.shown || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	const width = 30
	var b bytes.Buffer
	if p.size > 0 {
		full := int(min(p.read, p.size) * width / p.size)
		fmt.Fprintf(&b, "\r[%s%s] ", strings.Repeat("█", full), strings.Repeat("·", width-full))
	} else {
		b.WriteByte('\r')
	}
	fmt.Fprintf(&b, "%d calls\x1b[K", p.calls)
	os.Stderr.Write(b.Bytes())
}

func (p *progress) done() {
	if p.shown {
		os.Stderr.WriteString("\r\x1b[K")
	}
}
