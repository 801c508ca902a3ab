package qualitygate

import "github.com/trammel-dev/trammel/internal/flow"

func severity(code string) string {
	switch code {
	case "formatted", "formatter_missing":
		return "info"
	}
	return "warning"
}

// sentence says what was found, and what to do about it.
func sentence(code, tool, path, detail string) string {
	switch code {
	case "formatted":
		return "[QualityGate] " + tool + " has formatted " + path + ". Read it again before you edit it."
	case "formatter_missing":
		return "[QualityGate] " + path + " was not checked: this project uses " + tool + ", which is not installed."
	case "formatter_failed":
		return "[QualityGate] " + tool + " could not check " + path + ": " + flow.Clean(detail)
	}
	text := "[QualityGate] " + tool + " check failed for " + path + ". Format the file, and leave the formatter's configuration as it is."
	if detail = flow.Clean(detail); detail != "" {
		text += " It says: " + detail
	}
	return text
}
