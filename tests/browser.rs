//! A headless Chromium, talked to in its own protocol (Chrome DevTools) over
//! a pair of pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::installed::{CHROMIUM, installed};
use crate::program::HANG;

/// It looks at pages of this machine only, and asks for nothing else.
const OPTIONS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--window-size=1280,1000",
    "--remote-debugging-pipe",
];

/// A browser with one page. It is ended when the value is dropped.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    sent: u64,
    session: Option<String>,
    complaints: Vec<String>,
    _folder: TempDir,
}

impl Browser {
    /// Starts the browser, if one is installed.
    pub fn start() -> Option<Self> {
        let program = installed(CHROMIUM)?;
        let folder = tempfile::tempdir().unwrap();
        // The browser reads from descriptor 3 and writes to descriptor 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 >/dev/null 2>&1"])
            .arg(program)
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .env("HOME", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut browser = Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            sent: 0,
            session: None,
            complaints: Vec::new(),
            _folder: folder,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_string);
        for domain in ["Runtime.enable", "Page.enable", "Log.enable"] {
            browser.ask(domain, json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its result.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let mut command = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.input
            .write_all(command.to_string().as_bytes())
            .unwrap();
        self.input.write_all(b"\0").unwrap();
        loop {
            let mut message = Vec::new();
            self.output.read_until(0, &mut message).unwrap();
            assert_eq!(message.pop(), Some(0), "the browser has ended");
            let message: Value = serde_json::from_slice(&message).unwrap();
            if message["id"] == self.sent {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            let event = message["method"].as_str().unwrap_or_default();
            if [
                "Runtime.exceptionThrown",
                "Runtime.consoleAPICalled",
                "Log.entryAdded",
            ]
            .contains(&event)
            {
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
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        self.ask("Runtime.evaluate", expression)["result"]["value"].clone()
    }

    /// Waits until an expression has the value in the page.
    pub fn see(&mut self, expression: &str, value: Value) {
        let mut seen = Value::Null;
        let start = Instant::now();
        while seen != value {
            seen = self.evaluate(expression);
            assert!(
                start.elapsed() < HANG,
                "{expression} is {seen}, not {value}; the page says {:?}",
                self.complaints
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Has pages see a screen that is dark or light, and whose user likes no
    /// motion.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Presses a key, by its name in JavaScript.
    pub fn key(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
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
                "text": if kind == "keyDown" { text } else { "" },
            });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Drags from the middle of one element to that of another.
    pub fn drag(&mut self, from: &str, to: &str) {
        let mut middle = |selector: &str| {
            let found = self.evaluate(&format!(
                "(box => [box.x + box.width / 2, box.y + box.height / 2])\
                 (document.querySelector('{selector}').getBoundingClientRect())"
            ));
            [found[0].as_f64().unwrap(), found[1].as_f64().unwrap()]
        };
        let [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
        let half = [(x1 + x2) / 2.0, (y1 + y2) / 2.0];
        for (kind, [x, y]) in [
            ("mousePressed", [x1, y1]),
            ("mouseMoved", half),
            ("mouseMoved", [x2, y2]),
            ("mouseReleased", [x2, y2]),
        ] {
            let buttons = u8::from(kind != "mouseReleased");
            let event = json!({
                "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1,
            });
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Makes the page as large as a telephone's screen, say.
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

    /// What went wrong in the page so far.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
