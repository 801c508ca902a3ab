package rule

// Vocabulary declares, as types, the names that expressions can use; expressions
// are checked against it. scope has the values. Parts that an event does not have
// are empty, so that a condition about them is false rather than an error.
type Vocabulary struct {
	Event       string                    `expr:"event"`
	Name        string                    `expr:"name"`
	Host        string                    `expr:"host"`
	Project     string                    `expr:"project"`
	Session     session                   `expr:"session"`
	Tool        tool                      `expr:"tool"`
	Input       map[string]any            `expr:"input"`
	Action      action                    `expr:"action"`
	Command     string                    `expr:"command"`
	Program     string                    `expr:"program"`
	Args        args                      `expr:"args"`
	Interactive bool                      `expr:"interactive"`
	Commands    []command                 `expr:"commands"`
	Effects     effectLists               `expr:"effects"`
	Runs        func(...string) bool      `expr:"runs"`
	Reads       func(...string) bool      `expr:"reads"`
	Writes      func(...string) bool      `expr:"writes"`
	Deletes     func(...string) bool      `expr:"deletes"`
	TalksTo     func(...string) bool      `expr:"talks_to"`
	Sends       func(...string) bool      `expr:"sends"`
	Path        string                    `expr:"path"`
	Paths       []string                  `expr:"paths"`
	Prompt      string                    `expr:"prompt"`
	Synthetic   bool                      `expr:"synthetic"`
	Stop        stop                      `expr:"stop"`
	Source      string                    `expr:"source"`
	Reason      string                    `expr:"reason"`
	Facts       map[string]map[string]any `expr:"facts"`
	Fields      map[string]any            `expr:"fields"`
}

type session struct {
	ID      string   `expr:"id"`
	Dir     string   `expr:"dir"`
	Agent   string   `expr:"agent"`
	AgentID string   `expr:"agent_id"`
	Parents []string `expr:"parents"`
	Model   string   `expr:"model"`
	Mode    string   `expr:"mode"`
	Bypass  bool     `expr:"bypass"`
	User    string   `expr:"user"`
	Org     string   `expr:"org"`

	Wrote      func(...string) bool `expr:"wrote"`
	Fetched    func(...string) bool `expr:"fetched"`
	ReadSecret bool                 `expr:"read_secret"`
	TaintedBy  []string             `expr:"tainted_by"`
	Remotes    []string             `expr:"remotes"`
	Packages   []string             `expr:"packages"`
}

type tool struct {
	Name    string `expr:"name"`
	ID      string `expr:"id"`
	Output  string `expr:"output"`
	Error   string `expr:"error"`
	Failed  bool   `expr:"failed"`
	Done    bool   `expr:"done"`
	Confirm bool   `expr:"confirm"`
}

type action struct {
	Kind    string   `expr:"kind"`
	Command string   `expr:"command"`
	Dir     string   `expr:"dir"`
	Paths   []string `expr:"paths"`
	Content string   `expr:"content"`
	URL     string   `expr:"url"`
	Query   string   `expr:"query"`
	Server  string   `expr:"server"`
	Tool    string   `expr:"tool"`
	Agent   string   `expr:"agent"`
}

type args struct {
	Has     func(any ...string) bool     `expr:"has"`
	Starts  func(any ...string) bool     `expr:"starts"`
	Begins  func(words ...string) bool   `expr:"begins"`
	Value   func(names ...string) string `expr:"value"`
	List    []string                     `expr:"list"`
	Text    string                       `expr:"text"`
	Unknown bool                         `expr:"unknown"`
}

type stop struct {
	Active  bool   `expr:"active"`
	Message string `expr:"message"`
}

// effectLists are the effects of the call, as lists.
type effectLists struct {
	Runs    []command `expr:"runs"`
	Files   []touched `expr:"files"`
	Nets    []net     `expr:"nets"`
	Unknown []string  `expr:"unknown"`
	Traps   []string  `expr:"traps"`
}

type command struct {
	Program string `expr:"program"`
	Args    args   `expr:"args"`
}

type touched struct {
	Op      string `expr:"op"`
	Path    string `expr:"path"`
	Tree    bool   `expr:"tree"`
	Program string `expr:"program"`
}

type net struct {
	Host    string `expr:"host"`
	Port    string `expr:"port"`
	URL     string `expr:"url"`
	Sends   bool   `expr:"sends"`
	Program string `expr:"program"`
}
