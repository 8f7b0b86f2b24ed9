//! A headless Chromium, controlled by the Chrome DevTools Protocol over WebSockets. All tests
//! of a test program share one instance; each has a browser context of its own in it.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::installed::{CHROMIUM, installed};
use crate::program::{HANG, wait_until};

/// There is no sandbox, so open only pages of this machine. No background requests; pages in
/// the background run at full speed; no spare process waits for the next page.
const OPTIONS: [&str; 16] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-features=SpareRendererForSitePerProcess",
    "--disable-renderer-backgrounding",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "--remote-debugging-port=0",
];

/// The events that report an error or a message on the console.
const COMPLAINTS: [&str; 3] = [
    "Runtime.exceptionThrown",
    "Runtime.consoleAPICalled",
    "Log.entryAdded",
];

/// The running Chromium, shared by all tests of this process. It ends with the process,
/// which closes its input.
struct Chromium {
    _child: Child,
    /// Its address and port, and the path of the protocol there.
    host: String,
    path: String,
}

impl Chromium {
    /// The instance of this process, if Chromium is installed.
    fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Chromium>> = OnceLock::new();
        SHARED.get_or_init(Self::start).as_ref()
    }

    #[allow(clippy::zombie_processes)] // It ends after this process.
    fn start() -> Option<Self> {
        let program = installed(CHROMIUM)?;
        let folder = tempfile::tempdir().unwrap().keep();
        // The browser reads from descriptor 3 and writes to descriptor 4.
        const RUN: &str = "\"$0\" \"$@\" 3<&0 4>/dev/null >/dev/null 2>&1; rm -rf \"$HOME\"";
        let child = Command::new("sh")
            .args(["-c", RUN])
            .arg(program)
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", folder.display()))
            .env("HOME", &folder)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let written = folder.join("DevToolsActivePort");
        let mut text = String::new();
        wait_until("the browser", || {
            text = fs::read_to_string(&written).unwrap_or_default();
            text.contains('\n')
        });
        let (port, path) = text.split_once('\n').unwrap();
        Some(Self {
            _child: child,
            host: format!("127.0.0.1:{port}"),
            path: path.to_string(),
        })
    }
}

/// A browser context of one test, which shares nothing with others.
pub struct Browser {
    socket: WebSocket<TcpStream>,
    sent: u64,
    /// What its pages share: cookies, saved data. It is deleted when the socket is closed.
    context: Value,
    session: Option<String>,
    complaints: Vec<String>,
}

impl Browser {
    /// Opens a browser, if one is installed.
    pub fn start() -> Option<Self> {
        let Chromium { host, path, .. } = Chromium::shared()?;
        let stream = TcpStream::connect(host).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://{host}{path}"), stream).unwrap();
        let mut browser = Self {
            socket,
            sent: 0,
            context: Value::Null,
            session: None,
            complaints: Vec::new(),
        };
        let options = json!({ "disposeOnDetach": true });
        browser.context =
            browser.ask("Target.createBrowserContext", options)["browserContextId"].take();
        browser.open_tab("about:blank");
        Some(browser)
    }

    /// Opens an address in a new tab and switches to it.
    pub fn open_tab(&mut self, address: &str) {
        self.session = None;
        let target = json!({
            "url": "about:blank", "browserContextId": self.context, "newWindow": true,
            "width": 1280, "height": 1000,
        });
        let target = self.ask("Target.createTarget", target);
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.ask("Target.attachToTarget", attach);
        self.session = attached["sessionId"].as_str().map(str::to_string);
        for domain in ["Runtime.enable", "Page.enable", "Log.enable"] {
            self.ask(domain, json!({}));
        }
        self.open(address);
    }

    /// The current tab, for `use_tab`.
    pub fn tab(&self) -> Option<String> {
        self.session.clone()
    }

    /// Switches to another tab.
    pub fn use_tab(&mut self, tab: &Option<String>) {
        self.session.clone_from(tab);
    }

    /// Sends a command and waits for its result.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let mut command = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.socket
            .send(Message::text(command.to_string()))
            .unwrap();
        loop {
            let Message::Text(message) = self.socket.read().expect("the browser answers") else {
                continue;
            };
            let message: Value = serde_json::from_str(&message).unwrap();
            if message["id"] == self.sent {
                // The page was being left.
                let error = message["error"]["message"].as_str().unwrap_or_default();
                if error.contains("navigated") {
                    return Value::Null;
                }
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            let event = message["method"].as_str().unwrap_or_default();
            if COMPLAINTS.contains(&event) {
                self.complaints.push(message["params"].to_string());
            }
        }
    }

    /// Opens an address.
    pub fn open(&mut self, address: &str) {
        self.ask("Page.navigate", json!({ "url": address }));
    }

    /// The value of a JavaScript expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let expression = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
        });
        self.ask("Runtime.evaluate", expression)["result"]["value"].clone()
    }

    /// Loads the page again, and waits until the old one is gone.
    pub fn reload(&mut self) {
        self.evaluate("window.isOld = true; location.reload()");
        self.wait_for("window.isOld === undefined && document.readyState === 'complete'");
    }

    /// Waits until an expression in the page is true.
    pub fn wait_for(&mut self, expression: &str) {
        self.see(expression, true);
    }

    /// Waits until an expression in the page has this value. The page polls it for a second at
    /// a time, which is cheaper than a command for each poll.
    pub fn see(&mut self, expression: &str, value: impl Into<Value>) {
        let value = value.into();
        let wait = format!(
            "(async () => {{
                const end = performance.now() + 1000;
                for (;;) {{
                    let seen = null;
                    try {{ seen = await ({expression}); }} catch {{ /* not yet */ }}
                    if (JSON.stringify(seen) === JSON.stringify({value}) || performance.now() > end) return seen;
                    await new Promise(done => setTimeout(done, 10));
                }}
            }})()"
        );
        let mut seen = Value::Null;
        let start = Instant::now();
        while seen != value {
            assert!(
                start.elapsed() < HANG,
                "{expression} is {seen}, not {value}; the page says {:?}",
                self.complaints
            );
            seen = self.evaluate(&wait);
        }
    }

    /// Emulates a `dark` or `light` colour scheme and a user who prefers reduced motion.
    pub fn prefer(&mut self, scheme: &str) {
        self.prefer_motion(scheme, "reduce");
    }

    /// The same, with motion: `reduce` or `no-preference`.
    pub fn prefer_motion(&mut self, scheme: &str, motion: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Emulates forced colours, such as high contrast.
    pub fn force_colours(&mut self) {
        let features = json!([{ "name": "forced-colors", "value": "active" }]);
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Presses a key, by its name in JavaScript.
    pub fn key(&mut self, key: &str) {
        self.key_with(key, 0);
    }

    /// Presses a key while Control is held.
    pub fn control_key(&mut self, key: &str) {
        const CONTROL: u8 = 2;
        self.key_with(key, CONTROL);
    }

    fn key_with(&mut self, key: &str, modifiers: u8) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
                "modifiers": modifiers,
                "text": if kind == "keyDown" { text } else { "" },
            });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Drags from the middle of one element to that of another.
    pub fn drag(&mut self, from: &str, to: &str) {
        let [[x1, y1], [x2, y2]] = [self.middle(from), self.middle(to)];
        let half = [(x1 + x2) / 2.0, (y1 + y2) / 2.0];
        self.mouse("mousePressed", [x1, y1], true);
        self.mouse("mouseMoved", half, true);
        self.mouse("mouseMoved", [x2, y2], true);
        self.mouse("mouseReleased", [x2, y2], false);
    }

    /// Clicks the middle of an element with the mouse.
    pub fn press(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.mouse("mousePressed", at, true);
        self.mouse("mouseReleased", at, false);
    }

    /// The middle of an element, on the screen.
    pub fn middle(&mut self, selector: &str) -> [f64; 2] {
        let found = self.evaluate(&format!(
            "(box => [box.x + box.width / 2, box.y + box.height / 2])\
             (document.querySelector('{selector}').getBoundingClientRect())"
        ));
        [found[0].as_f64().unwrap(), found[1].as_f64().unwrap()]
    }

    /// A mouse event; `is_down` tells whether the left button is down after it.
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], is_down: bool) {
        let is_move = kind == "mouseMoved";
        let event = json!({
            "type": kind, "x": x, "y": y, "buttons": u8::from(is_down),
            "button": if is_move && !is_down { "none" } else { "left" },
            "clickCount": u8::from(!is_move),
        });
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Gives the page the size of a screen, such as that of a phone.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    /// A picture of the page: PNG in base64.
    pub fn screenshot(&mut self) -> String {
        let picture = self.ask("Page.captureScreenshot", json!({}));
        picture["data"].as_str().unwrap().to_string()
    }

    /// The errors and console messages of the page so far.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }
}

/// The DOM of a replay in a file, as text. `fragment` is the part after `#` in its address.
/// `None` if no browser is installed.
pub fn dom_of(page: &Path, fragment: &str) -> Option<String> {
    let mut browser = Browser::start()?;
    browser.open(&format!("file://{}#{fragment}", page.display()));
    browser.wait_for("document.querySelector('.replay h3') !== null");
    let dom = browser.evaluate("document.documentElement.outerHTML");
    dom.as_str().map(str::to_string)
}
