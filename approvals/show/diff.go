package show

import "strings"

// Change is a line of a unified diff: Sign is "+", "-" or " ".
type Change struct{ Sign, Text string }

// maxCells is how many cells the table of a diff may have; beyond it everything is
// shown as removed and added.
const maxCells = 4 << 20

// Diff compares texts by lines. No line is left out.
func Diff(before, after string) []Change {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	var head, tail []Change
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, Change{" ", a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append([]Change{{" ", a[len(a)-1]}}, tail...)
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return append(append(head, middle(a, b)...), tail...)
}

// middle compares by the longest common subsequence.
func middle(a, b []string) (out []Change) {
	width := len(b) + 1
	if (len(a)+1)*width > maxCells {
		width = 0
	}
	common := make([]int32, (len(a)+1)*width) // of what is left from there on
	for i := len(a) - 1; i >= 0 && width > 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case width > 0 && i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Change{" ", a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || width == 0 || common[(i+1)*width+j] >= common[i*width+j+1]):
			out = append(out, Change{"-", a[i]})
			i++
		default:
			out = append(out, Change{"+", b[j]})
			j++
		}
	}
	return out
}
