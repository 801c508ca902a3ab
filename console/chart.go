package console

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// chart is a histogram by decision, drawn by the server, with the same numbers
// as a table for who cannot see it.
type chart struct {
	Width, Height int
	Bars          []bar
	Table         []chartRow
	From          time.Time
	Totals        []total
}

type bar struct{ X, Y, W, H, Class string }

type chartRow struct {
	At    time.Time
	Count map[string]int
}

type total struct {
	Decision string
	N        int
}

// order is the order in which decisions are stacked, from the bottom.
var order = []string{"deny", "ask", "allow", "none"}

// histogram draws n steps from a moment on.
func histogram(bars []store.Bar, from time.Time, width time.Duration, n int) *chart {
	c := &chart{Width: n * 10, Height: 64, From: from}
	counts := make([]map[string]int, n)
	sums := map[string]int{}
	most := 1
	for _, b := range bars {
		i := int(b.At.Sub(from) / width)
		if i < 0 || i >= n {
			continue
		}
		if counts[i] == nil {
			counts[i] = map[string]int{}
		}
		kind := b.Decision
		if !slices.Contains(order, kind) {
			kind = "none"
		}
		counts[i][kind] += b.N
		sums[kind] += b.N
		all := 0
		for _, v := range counts[i] {
			all += v
		}
		most = max(most, all)
	}
	for i, at := range counts {
		if at == nil {
			continue
		}
		y := float64(c.Height)
		for _, kind := range order {
			if at[kind] == 0 {
				continue
			}
			h := max(float64(at[kind])*float64(c.Height)/float64(most), 1.5)
			y -= h
			c.Bars = append(c.Bars, bar{fmt.Sprint(i*10 + 1), fmt.Sprintf("%.1f", max(y, 0)), "8", fmt.Sprintf("%.1f", h), kind})
		}
		c.Table = append(c.Table, chartRow{from.Add(time.Duration(i) * width), at})
	}
	for _, kind := range order {
		if sums[kind] > 0 {
			c.Totals = append(c.Totals, total{kind, sums[kind]})
		}
	}
	return c
}

// spark is the path of a small line for these numbers.
func spark(values []int) string {
	most := max(1, slices.Max(append([]int{0}, values...)))
	var out strings.Builder
	for i, v := range values {
		verb := "L"
		if i == 0 {
			verb = "M"
		}
		x := 0.0
		if len(values) > 1 {
			x = float64(i) * 118 / float64(len(values)-1)
		}
		fmt.Fprintf(&out, "%s%.1f %.1f", verb, x+1, 18.5-float64(v)*17/float64(most))
	}
	return out.String()
}
