package programs

import "strings"

// Wrapper says how a program that runs another one takes its own options, so
// that the other one can be found behind them.
type Wrapper struct {
	short    string // letters of options that take a value
	long     string // names of long options that take a value in the next word
	operands int    // words of its own before the command
	assigns  bool   // it takes NAME=value before the command
	split    bool   // its -S takes a command line
	sub      string // it runs another program only behind one of these words
}

// WrapperOf looks up a wrapper by its name in lower case.
func WrapperOf(name string) (Wrapper, bool) {
	switch name {
	case "sudo":
		return Wrapper{short: "ughpCrtTURD", assigns: true,
			long: " --user --group --host --prompt --close-from --role --type --command-timeout --other-user --chroot --chdir "}, true
	case "doas":
		return Wrapper{short: "uCa"}, true
	case "pkexec":
		return Wrapper{long: " --user "}, true
	case "run0":
		return Wrapper{short: "ugD", long: " --user --group --chdir --setenv --property --slice --unit --nice --description "}, true
	case "gosu", "su-exec", "setuidgid", "chpst":
		return Wrapper{operands: 1}, true
	case "setpriv":
		return Wrapper{long: " --reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label " +
			"--apparmor-profile "}, true
	case "env":
		return Wrapper{short: "uCSP", assigns: true, split: true, long: " --unset --chdir --split-string --argv0 "}, true
	case "command", "builtin", "nohup", "setsid", "busybox", "toybox", "noglob", "nocorrect", "fakeroot", "torsocks", "unbuffer", "winpty",
		"dbus-run-session", "dbus-launch", "chronic":
		return Wrapper{}, true
	case "exec":
		return Wrapper{short: "a"}, true
	case "nice":
		return Wrapper{short: "n", long: " --adjustment "}, true
	case "ionice":
		return Wrapper{short: "cnpPu", long: " --class --classdata --pid --pgid --uid "}, true
	case "chrt":
		return Wrapper{short: "pTPD", operands: 1, long: " --sched-runtime --sched-period --sched-deadline "}, true
	case "taskset":
		return Wrapper{operands: 1}, true
	case "numactl":
		return Wrapper{short: "iNCmplPa", long: " --interleave --membind --cpunodebind --physcpubind --preferred "}, true
	case "prlimit":
		return Wrapper{short: "po", long: " --pid --output "}, true
	case "cpulimit":
		return Wrapper{short: "lpePc", long: " --limit --pid --exe --path --cpu "}, true
	case "time", "gtime":
		return Wrapper{short: "fo", long: " --format --output "}, true
	case "timeout", "gtimeout":
		return Wrapper{short: "sk", operands: 1, long: " --signal --kill-after "}, true
	case "timelimit":
		return Wrapper{short: "tTsS"}, true
	case "stdbuf", "gstdbuf":
		return Wrapper{short: "ioe", long: " --input --output --error "}, true
	case "ssh-agent":
		return Wrapper{short: "aEtPO"}, true
	case "caffeinate":
		return Wrapper{short: "tw"}, true
	case "strace", "ltrace":
		return Wrapper{short: "eoOpsSuaEPXIbU", long: " --trace --output --attach --string-limit --user --env --expr "}, true
	case "valgrind", "rlwrap", "faketime", "proot", "firejail", "proxychains", "proxychains4", "xvfb-run", "catchsegv":
		return rareWrapper(name), true
	case "unshare":
		return Wrapper{short: "RwSG", long: " --root --wd --setuid --setgid --map-user --map-group --map-users --map-groups --propagation " +
			"--setgroups "}, true
	case "nsenter":
		return Wrapper{short: "tSG", long: " --target --setuid --setgid "}, true
	case "bwrap":
		return Wrapper{long: " --chdir --unsetenv --uid --gid --hostname --proc --dev --tmpfs --mqueue --dir --lock-file --sync-fd --seccomp " +
			"--exec-label --cap-add --cap-drop --perms --size ", short: ""}, true
	case "chroot":
		return Wrapper{operands: 1, long: " --userspec --groups "}, true
	case "systemd-run":
		return Wrapper{short: "pHMutEdD", long: " --property --unit --slice --description --uid --gid --nice --working-directory --setenv " +
			"--host --machine --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property " +
			"--path-property --socket-property --service-type "}, true
	case "systemd-inhibit":
		return Wrapper{long: " --what --who --why --mode "}, true
	case "flock":
		return Wrapper{short: "wE", operands: 1, long: " --timeout --wait --conflict-exit-code "}, true
	case "setarch", "linux32", "linux64":
		return Wrapper{}, true
	case "xargs", "gxargs":
		return Wrapper{short: "InPLsdEaJRS", long: " --replace --max-args --max-procs --max-lines --max-chars --delimiter --eof --arg-file " +
			"--process-slot-var "}, true
	}
	return runner(name)
}

func rareWrapper(name string) Wrapper {
	switch name {
	case "faketime":
		return Wrapper{short: "f", operands: 1}
	case "proot":
		return Wrapper{short: "rbqwvR", long: " --rootfs --bind --qemu --pwd "}
	case "proxychains", "proxychains4":
		return Wrapper{short: "f"}
	case "xvfb-run":
		return Wrapper{short: "efnpsw", long: " --error-file --auth-file --server-num --xauth-protocol --server-args --wait "}
	case "rlwrap":
		return Wrapper{short: "bCDefgHlmMoOpPsStwz"}
	}
	return Wrapper{}
}

// runner looks up the tools of developers that run a program of a package or
// in an environment.
func runner(name string) (Wrapper, bool) {
	switch name {
	case "npx", "bunx", "uvx", "pnpx":
		return Wrapper{short: "pw", long: " --package --from --with --python --workspace "}, true
	case "poetry", "pipenv", "pdm", "rye", "hatch", "uv":
		return Wrapper{sub: " run ", short: "pCP", long: " --directory --project --with --python --extra --group --env-file --package "}, true
	case "conda", "mamba", "micromamba":
		return Wrapper{sub: " run ", short: "np", long: " --name --prefix --cwd "}, true
	case "bundle":
		return Wrapper{sub: " exec "}, true
	case "npm", "pnpm", "yarn":
		return Wrapper{sub: " exec x dlx ", short: "pCw", long: " --package --prefix --dir --workspace --filter "}, true
	case "mise", "asdf":
		return Wrapper{sub: " exec x "}, true
	case "direnv", "aws-vault", "chamber", "envchain":
		return Wrapper{sub: " exec ", operands: 1, short: "d", long: " --duration --region "}, true
	case "cross-env", "cross-env-shell":
		return Wrapper{assigns: true}, true
	case "doppler", "op", "infisical":
		return Wrapper{sub: " run ", short: "pc", long: " --project --config --env-file --env --path "}, true
	case "dotenv", "dotenvx":
		return Wrapper{short: "fe", long: " --file --env "}, true
	}
	return Wrapper{}, false
}

// Wrapped is what a wrapper runs.
type Wrapped struct {
	At      int      // where the program stands among the arguments; past the end if there is none
	Assigns []int    // the arguments that set variables for it
	Options []Option // the wrapper's own
	Own     []int    // the wrapper's own operands
	// Script is a command line that stands before the words from At on.
	Script   string
	IsScript bool
}

// Option is an option of a wrapper: the word, or the letter of a cluster, and
// its value. Where the value is an argument of its own At is its index.
type Option struct {
	Name, Value string
	At          int
}

// Find looks for the program behind a wrapper's own arguments.
func (spec Wrapper) Find(args []string) Wrapped {
	out := Wrapped{At: len(args)}
	options, sub := true, spec.sub != ""
	own := spec.operands
	for i := 0; i < len(args); i++ {
		t := args[i]
		name, val, assigned := strings.Cut(t, "=")
		switch {
		case options && t == "--":
			options = false
		case options && strings.HasPrefix(t, "--"):
			if spec.split && strings.HasPrefix("--split-string", name) && len(name) > 3 {
				return out.script(args, i, val, assigned)
			}
			o := Option{Name: name, Value: val, At: -1}
			if !assigned && strings.Contains(spec.long, " "+t+" ") && i+1 < len(args) {
				i++
				o.Value, o.At = args[i], i
			}
			out.Options = append(out.Options, o)
		case options && len(t) > 1 && t[0] == '-':
			at := strings.IndexAny(t[1:], spec.short) + 1
			if at == 0 || spec.short == "" {
				out.Options = append(out.Options, Option{Name: t, At: -1})
				continue
			}
			if spec.split && t[at] == 'S' {
				return out.script(args, i, t[at+1:], at+1 < len(t))
			}
			o := Option{Name: "-" + t[at:at+1], Value: t[at+1:], At: -1}
			if at+1 == len(t) && i+1 < len(args) {
				i++
				o.Value, o.At = args[i], i
			}
			out.Options = append(out.Options, o)
		case sub:
			if !strings.Contains(spec.sub, " "+t+" ") {
				return out
			}
			sub = false
		case spec.assigns && assigned && name != "":
			out.Assigns = append(out.Assigns, i)
		case own > 0:
			own--
			out.Own = append(out.Own, i)
			options = options && own > 0 // what follows is the program's
		default:
			out.At = i
			return out
		}
	}
	return out
}

// script takes the command line of env -S, which is given in word i or the one after it.
func (w Wrapped) script(args []string, i int, text string, here bool) Wrapped {
	if !here && i+1 < len(args) {
		i++
		text = args[i]
	}
	w.Script, w.IsScript, w.At = text, true, min(i+1, len(args))
	return w
}

// IsShell reports whether a program, by its name in lower case, runs shell scripts.
func IsShell(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "ksh93", "yash", "fish", "csh", "tcsh":
		return true
	}
	return false
}
