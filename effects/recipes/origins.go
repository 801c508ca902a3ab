package recipes

import (
	"path"
	"slices"
	"strings"
)

// Origin is a host that a file of a project names, and from which a program fetches:
// an address, or an image of a registry (docker://). Instead means that the program
// fetches from there and not from the registry that it has by itself.
type Origin struct {
	Text    string
	Instead bool
}

// OriginFiles are the files of a project in which a program finds where to fetch from,
// by the program and what it is told to do.
func OriginFiles(program, verb, next string) []string {
	says := func(verbs string) bool { return strings.Contains(verbs, " "+verb+" ") }
	switch program {
	case "npm", "npx", "bun":
		return []string{".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml", "package.json"}
	case "pip":
		return []string{"pyproject.toml", "setup.cfg"}
	case "uv", "poetry", "pipenv", "pdm", "hatch", "rye":
		if says(" install sync add update lock run build shell tool pip ") {
			return []string{"pyproject.toml", "uv.toml", "Pipfile", "setup.cfg"}
		}
	case "docker":
		switch {
		case verb == "compose" && strings.Contains(" up build pull run create watch ", " "+next+" "):
			return composeFiles
		case says(" build buildx buildc bud "), next == "build":
			return []string{"Dockerfile", "Containerfile"}
		}
	case "docker-compose":
		if says(" up build pull run create ") {
			return composeFiles
		}
	case "go":
		return []string{"go.mod", "go.work"}
	case "cargo":
		return []string{"Cargo.toml", ".cargo/config.toml", ".cargo/config"}
	case "bundle":
		return []string{"Gemfile"}
	case "composer":
		return []string{"composer.json"}
	case "mvn":
		return []string{"pom.xml", ".mvn/settings.xml"}
	case "gradle":
		return []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}
	case "helm":
		if says(" dependency dep dependencies ") {
			return []string{"Chart.yaml"}
		}
	case "pod":
		return []string{"Podfile"}
	case "dart", "flutter":
		return []string{"pubspec.yaml"}
	}
	return nil
}

var composeFiles = []string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "compose.override.yaml",
	"compose.override.yml", "docker-compose.override.yaml", "docker-compose.override.yml"}

// Origins are the hosts that such a file names.
func Origins(file, text string) (out []Origin) {
	switch name := strings.ToLower(path.Base(file)); {
	case name == ".npmrc", name == ".yarnrc", name == ".yarnrc.yml", name == "bunfig.toml":
		for line := range strings.Lines(text) {
			key, _, _ := strings.Cut(strings.TrimSpace(line), "://")
			registry := strings.Contains(strings.ToLower(key), "registry") && !strings.HasPrefix(key, "//") && !strings.HasPrefix(key, "#")
			for _, url := range addresses(line) {
				if registry {
					scoped := strings.HasPrefix(key, "@") || name == ".yarnrc.yml" && line[0] == ' '
					out = append(out, Origin{url, !scoped})
				}
			}
		}
	case name == "package.json":
		return dependencies(text)
	case strings.HasPrefix(name, "dockerfile"), strings.HasSuffix(name, "dockerfile"), strings.HasPrefix(name, "containerfile"):
		return images(text)
	case strings.Contains(name, "compose"):
		for line := range strings.Lines(text) {
			if image, ok := strings.CutPrefix(strings.TrimLeft(line, " -\t"), "image:"); ok {
				out = append(out, imageOf(unquoted(strings.TrimSpace(image))))
			}
		}
	case name == "go.mod", name == "go.work":
		for line := range strings.Lines(text) {
			if _, to, ok := strings.Cut(line, "=>"); ok {
				if host, _, ok := strings.Cut(strings.TrimSpace(to), "/"); ok && strings.Contains(strings.TrimLeft(host, "."), ".") {
					out = append(out, Origin{Text: "https://" + host})
				}
			}
		}
	default:
		return fetchedFrom(name, text)
	}
	return out
}

// addresses are those in a line: with a scheme, or of a repository by ssh.
func addresses(line string) (out []string) {
	for field := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'<>,;()[]{}=", r) }) {
		at := strings.LastIndex(field, "://")
		switch before := strings.TrimRight(field[:max(at, 0)], "abcdefghijklmnopqrstuvwxyz"); {
		case at > len(before):
			out = append(out, field[len(before):])
		case at < 0 && strings.HasPrefix(field, "git@"):
			out = append(out, field)
		}
	}
	return out
}

// dependencies are the places from which a package.json takes packages that are not
// those of a registry.
func dependencies(text string) (out []Origin) {
	for _, part := range strings.Fields("dependencies devDependencies optionalDependencies peerDependencies overrides resolutions") {
		_, object, ok := strings.Cut(text, `"`+part+`"`)
		if !ok {
			continue
		}
		for value := range quotedTexts(upTo(object, '{', '}')) {
			host, rest, _ := strings.Cut(value, ":")
			switch {
			case host == "github" || host == "gitlab":
				out = append(out, Origin{Text: "https://" + host + ".com"})
			case host == "bitbucket":
				out = append(out, Origin{Text: "https://bitbucket.org"})
			case rest == "" && value[:min(1, len(value))] != "@" && strings.Count(value, "/") == 1 && value[0] != '.': // owner/name
				out = append(out, Origin{Text: "https://github.com"})
			}
			for _, url := range addresses(value) {
				out = append(out, Origin{Text: url})
			}
		}
	}
	return out
}

// fetching are the words of a line or a section that say that its address is one to
// fetch from, by the name of a file.
func fetching(name string) (lines, sections []string) {
	switch {
	case name == "pyproject.toml", name == "pipfile", name == "uv.toml":
		return []string{" @ ", "@git+", "git ", "git=", "index-url", "find-links"}, []string{"source", "index", "registr"}
	case name == "setup.cfg", name == "pip.conf":
		return []string{" @ ", "@git+", "index-url", "index_url", "find-links", "find_links"}, nil
	case name == "cargo.toml", strings.HasPrefix(name, "config"):
		return []string{"git ", "git="}, []string{"source", "registr"}
	case name == "gemfile", name == "podfile":
		return []string{"source", "git:", ":git", "gem "}, nil
	case name == "composer.json":
		return []string{`"url"`}, nil
	case name == "pom.xml", name == "settings.xml":
		return nil, []string{"<repositor", "<pluginrepositor", "<mirror"}
	case strings.Contains(name, ".gradle"):
		return []string{"url", "maven"}, nil
	case name == "chart.yaml":
		return []string{"repository:"}, nil
	case name == "pubspec.yaml":
		return []string{"url:", "git:", "hosted:"}, nil
	case strings.HasSuffix(name, ".tf"), strings.HasSuffix(name, ".hcl"):
		return []string{"source"}, nil
	}
	return []string{""}, nil // requirements.txt and its like: nothing else
}

// fetchedFrom are the addresses in lines that are about where to fetch from.
func fetchedFrom(name, text string) (out []Origin) {
	lines, sections := fetching(name)
	within := func(line string, words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) })
	}
	inside := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " #")
		plain := strings.ToLower(strings.TrimSpace(line))
		if strings.HasPrefix(plain, "[") || strings.HasPrefix(plain, "<") && !strings.Contains(plain, "://") {
			inside = within(plain, sections)
		}
		if strings.HasPrefix(plain, "#") || strings.HasPrefix(plain, "//") || !inside && !within(plain, lines) {
			continue
		}
		instead := strings.Contains(plain, "index-url") && !strings.Contains(plain, "extra-") || strings.HasPrefix(plain, "-i ")
		for _, url := range addresses(line) {
			out = append(out, Origin{url, instead})
		}
		if _, source, ok := strings.Cut(line, `"github.com/`); ok && strings.HasSuffix(name, ".tf") && source != "" {
			out = append(out, Origin{Text: "https://github.com"})
		}
	}
	return out
}

// images are the registries from which a Dockerfile takes images, and the addresses
// from which building it fetches.
func images(text string) (out []Origin) {
	var stages []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		if rest, ok := strings.CutPrefix(strings.ReplaceAll(strings.TrimSpace(line), " ", ""), "#syntax="); ok {
			out = append(out, imageOf(rest))
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "FROM":
			image := words[1]
			for _, w := range words[1:] {
				if !strings.HasPrefix(w, "--") {
					image = w
					break
				}
			}
			if n := len(words); strings.EqualFold(words[n-2], "as") {
				stages = append(stages, words[n-1])
			}
			if !slices.Contains(stages, image) && image != "scratch" {
				out = append(out, imageOf(image))
			}
		case "COPY", "ADD", "RUN":
			for _, w := range words[1:] {
				_, image, ok := strings.Cut(w, "from=")
				if image, _, _ = strings.Cut(image, ","); ok && strings.HasPrefix(w, "--") && strings.Contains(image, "/") {
					out = append(out, imageOf(image))
				}
			}
			if command := strings.ToUpper(words[0]); command == "ADD" || command == "RUN" && words[1] != "echo" {
				for _, url := range addresses(line) {
					out = append(out, Origin{Text: url})
				}
			}
		}
	}
	return out
}

// Nested are further files that one of these names: -r more.txt of requirements, the
// Dockerfiles of a compose file.
func Nested(file, text string) (out []string) {
	name := strings.ToLower(path.Base(file))
	compose := strings.Contains(name, "compose")
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimLeft(line, " \t-"), ":")
		switch words := strings.Fields(line); {
		case compose && (key == "build" || key == "context"):
			if value = unquoted(strings.TrimSpace(value)); value != "" && !strings.Contains(value, "://") {
				out = append(out, path.Join(value, "Dockerfile"))
			}
		case compose && key == "dockerfile":
			out = append(out, unquoted(strings.TrimSpace(value)))
		case len(words) == 2 && (words[0] == "-r" || words[0] == "--requirement" || words[0] == "-c" || words[0] == "--constraint"):
			out = append(out, words[1])
		}
	}
	return out
}

// imageOf is the registry of an image.
func imageOf(image string) Origin {
	registry, _, ok := strings.Cut(image, "/")
	if !ok || !strings.ContainsAny(registry, ".:") && registry != "localhost" || strings.Contains(registry, "$") {
		registry = "registry-1.docker.io"
	}
	return Origin{"docker://" + registry + "/", true}
}
