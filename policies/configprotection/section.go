package configprotection

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/trammel-dev/trammel/internal/strict"
)

// rulesIn extracts the settings of checkers from a file that also has other
// content: one line per setting. known is false for files that have none, and for
// text that cannot be read.
func rulesIn(base, text string) (lines []string, known bool) {
	switch base = strings.ToLower(base); {
	case base == "package.json":
		return jsonRules(text, isPackageRule)
	case base == "deno.json", base == "deno.jsonc":
		return jsonRules(text, func(key string) bool { return key == "lint" || key == "fmt" })
	case strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json"), base == "jsconfig.json":
		return strictness(text), true
	case base == "pyproject.toml", base == "setup.cfg", base == "tox.ini", base == "cargo.toml":
		return sectionRules(text), true
	}
	return nil, false
}

// holdsRules reports whether a file of that name may hold rules.
func holdsRules(name string) bool {
	_, known := rulesIn(path.Base(name), "{}")
	return known
}

func isPackageRule(key string) bool {
	return slices.Contains([]string{"eslintConfig", "eslintIgnore", "prettier", "stylelint", "xo", "standard", "husky", "lint-staged",
		"commitlint", "simple-git-hooks", "pre-commit", "remarkConfig"}, key)
}

// jsonRules returns the top-level members that contain rules.
func jsonRules(text string, rule func(key string) bool) (lines []string, known bool) {
	dec := jsontext.NewDecoder(strings.NewReader(text))
	if !strict.Members(dec, func(key string) bool {
		value, err := dec.ReadValue()
		if err == nil && rule(key) {
			value = bytes.Clone(value)
			err = value.Compact()
			lines = append(lines, key+":"+string(value))
		}
		return err == nil
	}) {
		return nil, false
	}
	return lines, true
}

// sectionRules returns the lines of sections that belong to checkers.
func sectionRules(text string) (lines []string) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' && !strings.Contains(line, "=") && !strings.HasSuffix(line, ",") {
			inside = isRuleSection(strings.ToLower(strings.Trim(line, "[] \t")))
		}
		if inside {
			lines = append(lines, line)
		}
	}
	return lines
}

func isRuleSection(name string) bool {
	name = strings.TrimPrefix(strings.ReplaceAll(name, `"`, ""), "tool.")
	first, _, _ := strings.Cut(name, ".")
	first, _, _ = strings.Cut(first, ":")
	first, _, _ = strings.Cut(first, "-")
	switch first {
	case "ruff", "black", "isort", "mypy", "pylint", "flake8", "pycodestyle", "pydocstyle", "pyright", "basedpyright", "bandit", "yapf",
		"autopep8", "lints", "pyrefly", "ty":
		return true
	}
	return strings.HasPrefix(name, "workspace.lints")
}

// strictness returns the options that determine how much a compiler checks, with
// their values.
func strictness(text string) (lines []string) {
	text = withoutComments(text)
	for _, name := range [...]string{"strict", "alwaysStrict", "noImplicitAny", "noImplicitThis", "strictNullChecks",
		"strictFunctionTypes", "strictBindCallApply", "strictPropertyInitialization", "strictBuiltinIteratorReturn",
		"useUnknownInCatchVariables", "noUnusedLocals", "noUnusedParameters", "noImplicitReturns", "noImplicitOverride",
		"noFallthroughCasesInSwitch", "noUncheckedIndexedAccess", "exactOptionalPropertyTypes",
		"noPropertyAccessFromIndexSignature", "checkJs", "allowUnreachableCode", "allowUnusedLabels", "skipLibCheck"} {
		_, rest, found := strings.Cut(text, `"`+name+`"`)
		if !found {
			continue
		}
		rest = strings.TrimLeft(rest, " \t\r\n:")
		value := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))]
		lines = append(lines, name+":"+value)
	}
	return lines
}

// withoutComments removes // and /* */ from JSON with comments.
func withoutComments(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(text)-1)
			b.WriteString(text[i : end+1])
			i = end
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return b.String()
			}
			i += end
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i:], "*/")
			if end < 0 {
				return b.String()
			}
			i += end + 1
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
