package words

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// Told are the codes of what an unknown program or tool is told to do by its words, beyond
// removing: disable_mfa, firewall off, transfer --amount 100. costs is true if an amount of
// money is among its arguments.
func Told(said []string, costs bool) (codes []string) {
	for i, word := range said {
		if i > 8 {
			break
		}
		before, behind := "", ""
		if i > 0 {
			before = said[i-1]
		}
		if i+1 < len(said) {
			behind = said[i+1]
		}
		switch {
		case looks(word):
			return codes
		case unprotects(said, i) != "":
			codes = append(codes, unprotects(said, i))
		case pays(word) && (costs || all(before, behind) && !tells(word)):
			codes = append(codes, "spends")
		case powers(word, behind) && slices.ContainsFunc(said, machine):
			codes = append(codes, "stops_remote")
		case tells(word) && slices.ContainsFunc(said, people):
			codes = append(codes, "publishes")
		}
	}
	return codes
}

// Tool are the codes of what a tool does by its name and its arguments, beyond removing.
func Tool(name string, input map[string]any) (codes []string) {
	if Grants(name) {
		codes = append(codes, "cloud_change")
	}
	if Opens(name, input) {
		codes = append(codes, "makes_public")
	}
	said, costs := Of(name), false
	if slices.ContainsFunc(said, looks) {
		return codes
	}
	if starts(input) {
		codes = append(codes, "persistence")
	}
	if lends(input) {
		codes = append(codes, "shared_code")
	}
	for field, value := range input {
		text, _ := value.(string)
		if costs = costs || Costs(field); len(text) < 40 {
			other := func(word string) bool { return !machine(word) && !off(word) }
			said = append(said, slices.DeleteFunc(Of(field+" "+text), other)...)
		}
	}
	return append(codes, Told(said, costs)...)
}

// Program are the codes of what an unknown program is told by its first arguments.
func Program(name string, args []string) (codes []string) {
	var said []string
	said = append(said, named(name)...) // edrctl disable
	costs, everyone, serves, rights := false, false, false, false
	given := slices.ContainsFunc(Of(name), gives) || strings.HasSuffix(name, "grant")
	for i, text := range args {
		name, value, _ := strings.Cut(text, "=")
		costs = costs || wallet(text)
		everyone = everyone || everybody(strings.ToLower(text)) || everybody(strings.ToLower(value))
		serves = serves || i > 0 && reaches(args[i-1]) && port(text)
		rights = rights || right(value) || right(strings.TrimLeft(name, "-")) && name != "--root" && name != "--owner"
		switch {
		case len(text) > 40 || strings.ContainsAny(name, " /\n") || everybody(text):
		case text[:min(1, len(text))] != "-":
			said = append(said, Of(strings.Replace(text, "=", "-", 1))...)
		case optnames.Tries(text, strings.Join(args[i+1:min(i+2, len(args))], "")):
			return nil
		default:
			costs = costs || Costs(name)
			if lifted := option(name, value); lifted != "" {
				codes = append(codes, lifted)
			}
		}
		if len(text) < 40 && Publicly(Of(text)) && !slices.Contains(codes, "makes_public") {
			codes = append(codes, "makes_public")
		}
	}
	said = said[:min(len(said), 6)]
	if slices.ContainsFunc(said, looks) {
		return codes
	}
	if everyone && slices.ContainsFunc(said, changes) && !slices.Contains(codes, "makes_public") {
		codes = append(codes, "makes_public")
	}
	if rights && (given || slices.ContainsFunc(said, gives)) {
		codes = append(codes, "cloud_change")
	}
	if serves {
		codes = append(codes, "tunnels")
	}
	return append(codes, Told(said, costs)...)
}

// reaches reports whether a word says that something of this machine can be reached from
// elsewhere, if a port follows.
func reaches(word string) bool {
	return slices.Contains([]string{"tunnel", "expose", "funnel"}, word)
}

func port(text string) bool {
	text = text[strings.LastIndexByte(text, ':')+1:]
	return text != "" && len(text) < 6 && strings.Trim(text, "0123456789") == ""
}

// wallet reports whether a text is an address that money is sent to.
func wallet(text string) bool {
	number, ok := strings.CutPrefix(text, "0x")
	return strings.HasPrefix(text, "bc1q") || ok && len(number) >= 16 && strings.Trim(strings.ToLower(number), "0123456789abcdef") == ""
}

// right reports whether a word stands for the power over everything, and gives whether one
// says that somebody gets it.
func right(word string) bool {
	if strings.HasPrefix(strings.ToLower(word), "nopasswd") {
		return true
	}
	word = strings.ReplaceAll(strings.ToLower(word[strings.LastIndexAny(word, "/:")+1:]), "_", "-") // roles/owner
	switch word {
	case "admin", "owner", "superuser", "root", "sysadmin", "maintainer", "sudo", "sudoer", "sudoers", "wheel", "superadmin", "poweruser",
		"cluster-admin", "all-privileges", "full-access", "fullaccess", "globaladmin", "passwordless":
		return true
	}
	return strings.HasPrefix(word, "administrator")
}

func gives(word string) bool {
	return slices.Contains([]string{"grant", "assign", "promote", "invite", "add", "create", "set", "attach", "bind", "elevate",
		"enroll", "join", "upgrade", "allow", "write"}, word)
}

// all reports whether one of the words next to another says that it means everything.
func all(before, behind string) bool {
	return before == "all" || behind == "all" || behind == "everything"
}

// tells reports whether a word says that people are sent something, and people whether one
// stands for many of them.
func tells(word string) bool {
	switch word {
	case "send", "blast", "broadcast", "notify", "announce", "mail", "email", "sms", "push":
		return true
	}
	return false
}

func people(word string) bool {
	switch word {
	case "customers", "subscribers", "users", "everyone", "members", "employees", "contacts", "followers", "tenants":
		return true
	}
	return false
}

// Costs reports whether the name of an option or an argument says that its value is money.
func Costs(name string) bool {
	said := Of(strings.TrimLeft(name, "-"))
	return len(said) > 0 && (slices.Contains([]string{"amount", "currency"}, said[0]) || slices.Contains(said[1:], "amount"))
}

// looks reports whether a word says that something is only shown.
func looks(word string) bool {
	switch word {
	case "list", "get", "search", "describe", "show", "find", "read", "query", "check", "status", "quote", "estimate", "simulate", "preview",
		"history", "help", "validate", "test", "lookup", "calculate", "convert":
		return true
	}
	return false
}

// powers reports whether words say that a machine is switched off.
func powers(word, behind string) bool {
	switch word {
	case "reboot", "poweroff", "shutdown", "powercycle":
		return true
	}
	return word == "power" && slices.Contains([]string{"off", "cycle", "reset"}, behind)
}

func machine(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "server", "instance", "vm", "node", "host", "machine", "chassi", "droplet", "cluster":
		return true
	}
	return false
}

// pays reports whether a word says that money moves.
func pays(word string) bool {
	switch word {
	case "pay", "send", "transfer", "payout", "payouts", "withdraw", "withdrawal", "refund", "charge", "wire", "remit", "disburse", "topup":
		return true
	}
	return false
}

// Grants reports whether a tool gives somebody rights, or removes the protection of a
// branch, by the words of its name: add_collaborator, update_branch_protection.
func Grants(name string) bool {
	gives, right := false, false
	for _, word := range Of(name) {
		switch strings.TrimSuffix(word, "s") {
		case "add", "create", "update", "set", "grant", "invite", "attach", "put", "assign":
			gives = true
		case "collaborator", "protection", "permission", "role", "iam", "policy", "admin", "owner", "member":
			right = true
		case "list", "get", "search", "describe", "check":
			return false
		}
	}
	return gives && right
}
