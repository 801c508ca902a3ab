package feishu

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// token is the app's access token, while it is valid.
type token struct {
	mu    sync.Mutex
	value string
	until time.Time
}

// early is how long before its end a token is renewed.
const early = time.Minute

// access returns a valid token, and gets a new one if needed.
func (f *feishu) access(ctx context.Context) (string, error) {
	f.token.mu.Lock()
	defer f.token.mu.Unlock()
	if f.token.value != "" && f.env.Now().Before(f.token.until) {
		return f.token.value, nil
	}
	var got struct {
		Token  string `json:"tenant_access_token"`
		Expire int    `json:"expire"`
	}
	_, err := f.send(ctx, http.MethodPost, "/open-apis/auth/v3/tenant_access_token/internal", "",
		object{"app_id": f.AppID, "app_secret": f.secret}, &got)
	if err != nil {
		return "", err
	}
	f.token.value, f.token.until = got.Token, f.env.Now().Add(time.Duration(got.Expire)*time.Second-early)
	return got.Token, nil
}

// drop forgets a token that is no longer accepted.
func (f *feishu) drop(value string) {
	f.token.mu.Lock()
	defer f.token.mu.Unlock()
	if f.token.value == value {
		f.token.value = ""
	}
}

// The meaning of Feishu's codes, which can come with any status: the token is
// not accepted, too many calls, the card is too large or invalid, the message
// was recalled, deleted, or is too old to change.
func stale(code int) bool      { return code == 99991663 || code == 99991664 }
func busy(code int) bool       { return code == 230020 || code == 11232 }
func tooLong(code string) bool { return code == "230025" || code == "230099" }
func gone(code int) bool       { return code == 230011 || code == 230110 || code == 230031 }

// unauthorized is the code for status 401.
const unauthorized = 99991663

// call calls the API; out is the data of the answer. If the token is not
// accepted, it tries once more with a new one.
func (f *feishu) call(ctx context.Context, method, path string, in, out any) error {
	for attempt := 0; ; attempt++ {
		value, err := f.access(ctx)
		if err != nil {
			return err
		}
		var got struct {
			Data json.RawMessage `json:"data"`
		}
		code, err := f.send(ctx, method, path, value, in, &got)
		switch {
		case stale(code):
			f.drop(value)
			if attempt == 0 {
				continue
			}
			return err
		case err != nil || out == nil:
			return err
		}
		if err := json.Unmarshal(got.Data, out); err != nil {
			return &channels.Failure{Detail: "feishu: the answer is not the expected JSON"}
		}
		return nil
	}
}

// send makes one request. A code other than 0 is a failure, whatever the status.
func (f *feishu) send(ctx context.Context, method, path, token string, in, out any) (code int, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return 0, err
	}
	h := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	r, err := f.env.Call(ctx, method, f.BaseURL+path, h, body)
	if err != nil {
		return 0, err
	}
	var reply struct {
		Code *int   `json:"code"`
		Msg  string `json:"msg"`
	}
	switch err := r.Decode(&reply); {
	case r.Status == http.StatusUnauthorized:
		return unauthorized, &channels.Failure{Detail: "feishu: the token was not accepted"}
	case err != nil:
		return 0, err
	case reply.Code == nil || r.Status/100 != 2 && *reply.Code == 0:
		return 0, &channels.Failure{Detail: fmt.Sprintf("feishu: status %d", r.Status)}
	case busy(*reply.Code):
		return *reply.Code, &channels.Failure{Detail: fmt.Sprintf("feishu: too many calls (code %d)", *reply.Code), After: 2 * time.Second}
	case *reply.Code != 0:
		return *reply.Code, &channels.Failure{Detail: fmt.Sprintf("feishu: code %d: %.200s", *reply.Code, reply.Msg), Gone: gone(*reply.Code),
			Code: strconv.Itoa(*reply.Code)}
	}
	return 0, r.Decode(out)
}
