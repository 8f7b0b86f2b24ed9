//! The page that an invitation opens. Only its button uses up the invitation: messengers
//! that preview a link do not press it.

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::session::LiveSession;
use crate::markup::LOOK_STYLE;

/// The form can be sent to this server alone. Its origin is checked, so it must be sent.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const USED: &str = "<p>This invitation is not valid, or it has been used: it admits one \
     browser. If it was yours, open the page of the game again. Otherwise ask for another \
     invitation.</p>";

#[derive(Deserialize)]
pub(in super::super) struct Invited {
    invitation: String,
}

/// `GET /join`: asks whether to join.
pub(in super::super) async fn ask(
    State(session): State<LiveSession>,
    Query(Invited { invitation }): Query<Invited>,
) -> Response {
    if session.is_open(&invitation) {
        // It is the token itself, which needs no escaping.
        let form = format!(
            "<p>You are invited to a game of Santorini.</p>\
             <form method=\"post\" action=\"join?invitation={invitation}\">\
             <button class=\"strong\" autofocus>Join the game</button></form>"
        );
        page(StatusCode::OK, &form)
    } else {
        page(StatusCode::FORBIDDEN, USED)
    }
}

/// `POST /join`: admits the browser, and leads it to the game.
pub(in super::super) async fn accept(
    State(session): State<LiveSession>,
    Query(Invited { invitation }): Query<Invited>,
) -> Response {
    match session.accept(&invitation) {
        // Through a proxy the page has another path.
        Ok(Some(guest)) => Redirect::to(&format!("./?guest={}", guest.as_str())).into_response(),
        Ok(None) => page(StatusCode::FORBIDDEN, USED),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why).into_response(),
    }
}

fn page(status: StatusCode, body: &str) -> Response {
    let html = include_str!("join.html")
        .replace("/* LOOK_STYLE */", LOOK_STYLE)
        .replace("<!-- BODY -->", body);
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (status, headers, Html(html)).into_response()
}
