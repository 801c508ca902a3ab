package human

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// process reads what /proc says. We may not see the command line and the
// environment of other users' processes, only their names and parents.
func process(id int) (p Process, parent int, err error) {
	dir := "/proc/" + strconv.Itoa(id) + "/"
	p.ID = id
	stat, err := os.ReadFile(dir + "stat")
	if err != nil {
		return p, 0, err
	}
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if from < 0 || to < from {
		return p, 0, fmt.Errorf("%sstat has an unexpected format", dir)
	}
	p.Name = string(stat[from+1 : to])
	fields := strings.Fields(string(stat[to+1:]))
	if len(fields) < 2 {
		return p, 0, fmt.Errorf("%sstat has an unexpected format", dir)
	}
	if parent, err = strconv.Atoi(fields[1]); err != nil {
		return p, 0, err
	}
	p.Exe, _ = os.Readlink(dir + "exe")
	p.Args, p.Env = list(dir+"cmdline"), list(dir+"environ")
	return p, parent, nil
}

func list(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}
