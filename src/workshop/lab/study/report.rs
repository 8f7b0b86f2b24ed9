//! The report: one self-contained HTML page with all findings, charts and tables.

use std::fmt::Write;

use super::section::{Finding, Holds, Section};
use super::store::StudySettings;
use crate::chart::CHART_STYLE;
use crate::markup::{HtmlPage, escape};

/// The style of this page, after that of all pages.
const STYLE: &str = "
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5 }
h2 { margin-top: 3rem; font-size: 1.35rem; border-bottom: 1px solid var(--line) }
table { margin: 1rem 0; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { background: var(--hover) } table.numbers td { font-variant-numeric: tabular-nums; font-size: .92rem; white-space: nowrap }
table.numbers th { overflow-wrap: normal }
table.numbers td:nth-child(-n+2) { white-space: normal; overflow-wrap: anywhere; min-width: 7rem } table.numbers td:first-child { min-width: 11rem }
figure { margin: 1.5rem 0 }
.holds { font-weight: 600; white-space: nowrap } .Yes { color: var(--good) } .Partly { color: var(--warn) } .No { color: var(--bad) }
.overview td { font-size: .92rem } .overview tr > :first-child { white-space: nowrap; overflow-wrap: normal } .scroll { overflow-x: auto }
@media (max-width: 46rem) {
  .overview tr:first-child, .findings tr:first-child { display: none }
  .overview tr, .overview td, .findings tr, .findings td { display: block; border: 0; padding: .1rem 0 }
  .overview tr, .findings tr { border-bottom: 1px solid var(--line); padding: .5rem 0 }
  td[data-head]::before { content: attr(data-head) \": \" }
}
";

/// The whole page. Each section has the name of its experiment.
pub fn report(sections: &[(&str, Section)], settings: StudySettings) -> String {
    let parts = sections.iter().map(|(name, section)| one(name, section));
    let main = head(settings) + &overview(sections) + &parts.collect::<String>();
    HtmlPage {
        generator: "",
        title: "Agents for Santorini",
        styles: &[CHART_STYLE, STYLE],
        main,
        data: None,
        scripts: &[],
    }
    .html()
}

fn head(settings: StudySettings) -> String {
    let quick = if settings.quick {
        "<p><strong>This is a quick run with few games; its numbers prove little.</strong></p>\n"
    } else {
        ""
    };
    format!(
        "<h1>Agents for Santorini: a study repeated</h1>\n\
         <p>The study is O. Rothenstein, A. Meroz, R. Kaplan and A. Oxenhorn, <cite>AI Agents for the \
         Board Game Santorini</cite> (The Hebrew University of Jerusalem, 2021). This \
         report repeats its experiments and compares the results. Where they differ, further games look \
         for the reason. Brackets hold 95% intervals.</p>\n\
         {quick}<p>Seed {}. The raw results are in the .jsonl files beside this page.</p>\n",
        settings.seed
    )
}

/// The table of all findings.
fn overview(sections: &[(&str, Section)]) -> String {
    let mut text = String::from(
        "<h2>Overview</h2>\n<table class=\"overview\">\n<tr><th>Where</th><th>Setting</th>\
         <th>The study</th><th>Here</th><th></th></tr>\n",
    );
    for (name, section) in sections {
        for finding in &section.findings {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<tr><td><a href=\"#{name}\">{}</a></td>{}{}{}<td>{}</td></tr>",
                escape(&finding.figure),
                cell("Setting", &finding.setting),
                cell("The study", &finding.study),
                cell("Here", &finding.here),
                word(finding.holds)
            );
        }
    }
    text + "</table>\n"
}

/// A cell that carries its heading, for narrow screens.
fn cell(head: &str, text: &str) -> String {
    format!("<td data-head=\"{head}\">{}</td>", escape(text))
}

fn one(name: &str, section: &Section) -> String {
    let mut text = format!(
        "<h2 id=\"{name}\">{}</h2>\n<p>{}</p>\n",
        escape(&section.title),
        escape(&section.method)
    );
    text += "<table class=\"findings\">\n<tr><th>The study</th><th>Here</th><th></th></tr>\n";
    for finding in &section.findings {
        text += &finding_rows(finding);
    }
    text += "</table>\n";
    for figure in &section.figures {
        let _ = writeln!(
            text,
            "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>",
            figure.picture.html.trim(),
            escape(&figure.caption)
        );
    }
    let table = section.table.html();
    text + &format!("<div class=\"scroll\">{table}</div>\n")
}

fn finding_rows(finding: &Finding) -> String {
    format!(
        "<tr>{}{}<td>{}</td></tr>\n<tr><td colspan=\"3\">{}</td></tr>\n",
        cell("The study", &finding.study),
        cell("Here", &finding.here),
        word(finding.holds),
        escape(&finding.verdict)
    )
}

fn word(holds: Holds) -> String {
    format!("<span class=\"holds {holds:?}\">{}</span>", holds.word())
}
