package shell

import "slices"

// maxEnv bounds how many variables are listed.
const maxEnv = 64

// reads notes that a variable of the agent's environment is read.
func (d *deriver) reads(name string) {
	if len(d.set.Env) > maxEnv { // all of them are listed already
		return
	}
	if len(d.set.Env) == maxEnv {
		name = "*"
	}
	if !slices.Contains(d.set.Env, name) {
		d.set.Env = append(d.set.Env, name)
	}
}

// environment notes variables that are read by programs that print them.
func (d *deriver) environment() {
	for i := range d.set.Runs {
		switch r := &d.set.Runs[i]; {
		case r.Remote:
		case d.set.Dumps(i):
			d.reads("*")
		case r.Program == "printenv":
			for k := range r.Args {
				if w := &r.Args[k]; w.Known && w.Text != "" && w.Text[0] != '-' {
					d.reads(w.Text)
				} else if !w.Known {
					d.reads("*")
				}
			}
		}
	}
}
