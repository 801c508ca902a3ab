package watch

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// What the model is told.
type (
	approvalsMsg struct {
		list []*store.Approval
		err  error
	}
	eventsMsg   []store.Event
	failedMsg   struct{ err error }
	tickMsg     struct{}
	unlockedMsg struct {
		person Person
		err    error
	}
	decidedMsg struct {
		approval *store.Approval
		err      error
	}
	ranMsg struct{ err error }
)

type tab int

const (
	inbox tab = iota
	live
	sessions
	tabs
)

func (t tab) String() string { return [...]string{"Inbox", "Live", "Sessions"}[t] }

func (t tab) scope() filter.Scope {
	if t == inbox {
		return filter.Approvals
	}
	return filter.Events
}

// maxEvents is how many events are kept; older ones are in the evidence.
const maxEvents = 5000

// Model is the view's state. It changes only in Update.
type Model struct {
	Deps
	ctx           context.Context
	width, height int

	tab     tab
	detail  bool // the detail has the focus
	views   [tabs]view
	prefix  bool // g was pressed, and a page follows
	help    bool
	input   *input // the line that is being typed, if any
	message string
	stale   error // why the inbox is not up to date

	approvals map[string]*store.Approval
	loaded    bool
	fresh     int            // requests that wait to be shown
	events    []*store.Event // newest first
	paused    bool
	held      int // events that came while paused
	// What the lists of live and sessions show, by the id of the row.
	shownEvents   map[string]*store.Event
	shownSessions map[string][]*store.Event

	person  Person
	lastKey time.Time
	card    card
	cache   struct { // the detail, as it was made last
		key   string
		lines []line
	}
}

// view is one tab: what it lists, and where one is in it.
type view struct {
	filter *filter.Query
	bad    error // what is wrong with the filter as it is typed
	ids    []string
	at     string // the id of the row with the cursor
	top    int    // the first row that is seen
	scroll int    // the first line of the detail that is seen
}

// New makes the view's model.
func New(d Deps) (*Model, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{Deps: d, ctx: context.Background(), width: 80, height: 24, approvals: map[string]*store.Approval{}, lastKey: d.Now()}
	for t := range tabs {
		m.views[t].filter = &filter.Query{}
	}
	if d.Filter == "" {
		return m, nil
	}
	q, err := filter.Parse(d.Filter, filter.Approvals, d.Now())
	if err == nil {
		m.views[inbox].filter = q
	}
	events, err2 := filter.Parse(d.Filter, filter.Events, d.Now())
	if err2 == nil {
		m.views[live].filter, m.views[sessions].filter = events, events
	}
	if err != nil && err2 == nil {
		m.tab, err = live, nil
	}
	return m, err
}

func tick() tea.Cmd {
	return tea.Tick(250*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return tick() }

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.card.moved(m.Now())
	case tea.KeyPressMsg:
		cmd = m.key(msg)
	case tea.PasteMsg: // never a command
		if m.input != nil {
			m.input.paste(msg.Content)
			m.typed()
		}
	case tickMsg:
		m.clock()
		cmd = tick()
	case approvalsMsg:
		if m.stale = msg.err; msg.err == nil {
			m.gotApprovals(msg.list)
		}
	case eventsMsg:
		m.gotEvents(msg)
	case failedMsg:
		m.message = msg.err.Error()
	case unlockedMsg:
		m.unlocked(msg)
	case decidedMsg:
		m.decided(msg)
	case ranMsg:
		m.card.moved(m.Now())
		if msg.err != nil {
			m.message = msg.err.Error()
		}
	}
	m.settle()
	return m, cmd
}

func (m *Model) view() *view { return &m.views[m.tab] }

// gotApprovals takes the requests as they are now. Rows stay where they are: new
// ones wait until they are asked for, unless there is nothing to disturb.
func (m *Model) gotApprovals(list []*store.Approval) {
	m.approvals = make(map[string]*store.Approval, len(list))
	for _, a := range list {
		m.approvals[a.ID] = a
	}
	v := &m.views[inbox]
	if !m.loaded || len(v.ids) == 0 {
		m.loaded = true
		m.refreshInbox()
		return
	}
	m.fresh = 0
	for _, id := range m.wanted() {
		if !slices.Contains(v.ids, id) {
			m.fresh++
		}
	}
}

// wanted are the requests that the filter wants, soonest end first; without a
// filter those that wait.
func (m *Model) wanted() []string {
	q := m.views[inbox].filter
	var list []*store.Approval
	for _, a := range m.approvals {
		if q.Text == "" && a.State != store.Pending || !q.Match(store.Item{Approval: a, Mine: m.mine(a)}) {
			continue
		}
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *store.Approval) int {
		if c := (store.Item{Approval: a}).Number("expires") - (store.Item{Approval: b}).Number("expires"); c != 0 && q.Text == "" {
			return sign(c)
		}
		return sign(b.Seq - a.Seq)
	})
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = a.ID
	}
	return ids
}

func sign(n int64) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func (m *Model) mine(a *store.Approval) bool {
	return a.State == store.Pending && m.Source.May(a) == nil
}

func (m *Model) refreshInbox() {
	m.fresh = 0
	m.views[inbox].ids = m.wanted()
}

func (m *Model) gotEvents(list eventsMsg) {
	added := make([]*store.Event, len(list), min(len(list)+len(m.events), maxEvents+len(list)))
	for i := range list {
		added[len(list)-1-i] = &list[i]
	}
	m.events = append(added, m.events...)
	newestFirst := func(a, b *store.Event) int { return b.Time.Compare(a.Time.Time) }
	if !slices.IsSortedFunc(m.events, newestFirst) { // from several logs
		slices.SortStableFunc(m.events, newestFirst)
	}
	m.events = m.events[:min(len(m.events), maxEvents)]
	if m.paused {
		m.held += len(list)
		return
	}
	m.refreshEvents()
}

// refreshEvents lists the events and sessions that the filters want.
func (m *Model) refreshEvents() {
	m.held = 0
	m.shownEvents, m.shownSessions = make(map[string]*store.Event, len(m.events)), map[string][]*store.Event{}
	lists := &m.views
	lists[live].ids, lists[sessions].ids = nil, nil
	for _, e := range m.events {
		if lists[live].filter.Match(e) {
			key := e.Log + "/" + e.ID
			m.shownEvents[key] = e
			lists[live].ids = append(lists[live].ids, key)
		}
		if e.Session == "" || !lists[sessions].filter.Match(e) {
			continue
		}
		key := e.Host + " " + e.Session
		if m.shownSessions[key] == nil {
			lists[sessions].ids = append(lists[sessions].ids, key)
		}
		m.shownSessions[key] = append(m.shownSessions[key], e)
	}
}

// settle keeps the cursor on a row, and the row in sight.
func (m *Model) settle() {
	v := m.view()
	i := slices.Index(v.ids, v.at)
	if i < 0 {
		v.at, i, v.scroll = "", 0, 0
		if len(v.ids) > 0 {
			v.at = v.ids[0]
		}
	}
	if m.tab == live && !m.paused && len(v.ids) > 0 && !m.detail {
		v.at, i = v.ids[0], 0 // it flows
	}
	rows := m.layout().rows
	v.top = max(min(v.top, i), i-rows+1, 0)
	m.look()
}

// typed reads the filter that is being typed.
func (m *Model) typed() {
	if m.input == nil || m.input.reason {
		return
	}
	v := m.view()
	q, err := filter.Parse(strings.TrimSpace(m.input.text), m.tab.scope(), m.Now())
	if v.bad = err; err != nil {
		return
	}
	if v.filter = q; m.tab == inbox {
		m.refreshInbox()
	} else {
		m.refreshEvents()
	}
}
