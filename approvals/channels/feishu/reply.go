package feishu

import (
	"context"
	"net/http"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// back is what a reply needs to know about the click.
type back struct {
	update string // the token with which the card can be updated later
	legacy bool   // an older card, which a reply cannot replace
}

// RenderReply implements channels.Answerer: always a toast, and the current
// card if it may have changed.
func (f *feishu) RenderReply(o *channels.Outcome) channels.Reply {
	kind, en, zh := words(o)
	var card object
	if news(o) {
		card = f.card(o.Now)
	}
	b := o.Back.(*back)
	if !b.legacy {
		return toast(kind, en, zh, card)
	}
	r := toast(kind, en, zh, nil)
	if card != nil && b.update != "" {
		r.After = func(ctx context.Context) error {
			return f.call(ctx, http.MethodPost, "/open-apis/interactive/v1/card/update", object{"token": b.update, "card": card}, nil)
		}
	}
	return r
}

// news reports whether the clicked card may be outdated.
func news(o *channels.Outcome) bool {
	if o.Refusal == nil {
		return true
	}
	switch o.Refusal.Code {
	case approvals.RefusedDecided, approvals.RefusedExpired, approvals.RefusedChanged, approvals.RefusedState:
		return o.Now != nil
	}
	return false
}

func words(o *channels.Outcome) (kind, en, zh string) {
	if r := o.Refusal; r != nil {
		switch r.Code {
		case approvals.RefusedDecided, approvals.RefusedVoted, approvals.RefusedState:
			return "warning", r.Detail, "该请求已处理，您的操作无效"
		case approvals.RefusedExpired:
			return "warning", r.Detail, "该请求已过期，未执行任何操作"
		case approvals.RefusedChanged:
			return "warning", r.Detail, "请求内容已变更，请重新查看"
		case approvals.RefusedComment:
			return "warning", r.Detail, "拒绝时必须填写理由"
		case approvals.RefusedNotApprover, approvals.RefusedRequester:
			return "error", r.Detail, "您无权审批该请求"
		}
		return "error", r.Detail, "操作无效"
	}
	en = show.Status(o.Now)
	switch o.Now.State {
	case store.Pending:
		return "info", en, "已记录，等待其他审批人"
	case store.Rejected:
		return "success", en, "已拒绝"
	}
	return "success", en, "已批准"
}

// toast is a reply with a text for the person who clicked. An empty reply would
// make some clients show an error.
func toast(kind, en, zh string, card object) channels.Reply {
	en, _ = show.Cut(visible.Line(en), 300)
	out := object{"toast": object{"type": kind, "content": en, "i18n": object{"zh_cn": zh, "en_us": en}}}
	if card != nil {
		out["card"] = object{"type": "raw", "data": card}
	}
	return channels.JSON(http.StatusOK, out)
}
