package shell

import "strings"

// wrapper says how a program that runs another one takes its own options, so
// that the other one can be found behind them.
type wrapper struct {
	short    string // letters of options that take a value
	long     string // names of long options that take a value in the next word
	operands int    // words of its own before the command
	assigns  bool   // it takes NAME=value before the command
	split    bool   // its -S takes a command line
}

func wrapperOf(name string) (wrapper, bool) {
	switch name {
	case "sudo":
		return wrapper{short: "ughpCrtTURD", assigns: true,
			long: " --user --group --host --prompt --close-from --role --type --command-timeout --other-user --chroot --chdir "}, true
	case "doas":
		return wrapper{short: "uCa"}, true
	case "env":
		return wrapper{short: "uCSP", assigns: true, split: true, long: " --unset --chdir --split-string "}, true
	case "command", "builtin", "nohup", "setsid", "busybox", "toybox":
		return wrapper{}, true
	case "exec":
		return wrapper{short: "a"}, true
	case "nice":
		return wrapper{short: "n", long: " --adjustment "}, true
	case "ionice":
		return wrapper{short: "cnpPu", long: " --class --classdata --pid --pgid --uid "}, true
	case "time":
		return wrapper{short: "fo", long: " --format --output "}, true
	case "timeout":
		return wrapper{short: "sk", operands: 1, long: " --signal --kill-after "}, true
	case "stdbuf":
		return wrapper{short: "ioe", long: " --input --output --error "}, true
	case "xargs":
		return wrapper{short: "InPLsdEaJRS", long: " --replace --max-args --max-procs --max-lines --max-chars --delimiter --eof --arg-file --process-slot-var "}, true
	}
	return wrapper{}, false
}

// wrapped is what a wrapper runs: words, or words behind a command line.
type wrapped struct {
	words  []Word
	assign []string
	script string
}

func (spec wrapper) read(args []Word) wrapped {
	var out wrapped
	options := true
	i := 0
	for ; i < len(args); i++ {
		t := args[i].value
		name, _, assigned := strings.Cut(t, "=")
		switch {
		case options && t == "--":
			options = false
		case options && strings.HasPrefix(t, "--"):
			if spec.split && strings.HasPrefix("--split-string", name) && len(name) > 3 {
				return spec.scriptAt(args, i, strings.TrimPrefix(t[len(name):], "="), assigned)
			}
			if !assigned && strings.Contains(spec.long, " "+t+" ") {
				i++
			}
		case options && len(t) > 1 && t[0] == '-':
			at := strings.IndexAny(t[1:], spec.short) + 1
			if at == 0 || spec.short == "" {
				continue
			}
			if spec.split && t[at] == 'S' {
				return spec.scriptAt(args, i, t[at+1:], at+1 < len(t))
			}
			if at+1 == len(t) {
				i++
			}
		case spec.assigns && assigned && args[i].value != "" && name != "":
			out.assign = append(out.assign, name)
		default:
			out.words = args[min(i+spec.operands, len(args)):]
			return out
		}
	}
	return out
}

// scriptAt takes the command line of env -S, which is given in word i or the one after it.
func (spec wrapper) scriptAt(args []Word, i int, text string, here bool) wrapped {
	if !here && i+1 < len(args) {
		i++
		text = args[i].value
	}
	return wrapped{script: text + " ", words: args[i+1:]}
}
