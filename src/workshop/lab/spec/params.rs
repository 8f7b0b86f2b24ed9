//! The `name=value` parameters of an agent.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::SpecError;

/// The parameters of one agent; each is read once.
pub(super) struct AgentParams<'a> {
    agent: &'static str,
    given: Vec<(&'a str, &'a str)>,
    /// The names read so far; at the end, all parameters of the agent.
    known: Vec<&'static str>,
}

impl<'a> AgentParams<'a> {
    /// Splits `a=1,b=2`.
    ///
    /// # Errors
    /// If a part has a different form, or a name appears twice.
    pub(super) fn new(agent: &'static str, text: Option<&'a str>) -> Result<Self, SpecError> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in text.into_iter().flat_map(|text| text.split(',')) {
            let form = || SpecError::Form(agent, part.to_string());
            let (name, value) = part.split_once('=').ok_or_else(form)?;
            if given.iter().any(|&(other, _)| other == name) {
                return Err(SpecError::Twice(agent, name.to_string()));
            }
            given.push((name, value));
        }
        Ok(Self {
            agent,
            given,
            known: Vec::new(),
        })
    }

    /// The text of a parameter, if it was given.
    pub(super) fn text(&mut self, name: &'static str) -> Option<&'a str> {
        self.known.push(name);
        let at = self.given.iter().position(|&(given, _)| given == name)?;
        Some(self.given.swap_remove(at).1)
    }

    /// A number within a range, or the default if it was not given.
    ///
    /// # Errors
    /// If the value is not a number within the range.
    pub(super) fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        name: &'static str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        let given = self.optional_number(name, range)?;
        Ok(given.unwrap_or(default))
    }

    /// A number within a range, if it was given.
    ///
    /// # Errors
    /// As [`AgentParams::number`].
    pub(super) fn optional_number<T: FromStr + PartialOrd + Display>(
        &mut self,
        name: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, SpecError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            let right = format!("a number from {} to {}", range.start(), range.end());
            self.wrong(name, text, right)
        })
    }

    /// One of several names.
    ///
    /// # Errors
    /// If the value is none of the names.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, SpecError> {
        let Some(text) = self.text(name) else {
            return Ok(default);
        };
        let found = choices.iter().find(|(choice, _)| *choice == text);
        found.map(|&(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
            self.wrong(name, text, names.join(" or "))
        })
    }

    /// The error of a parameter with a wrong value.
    fn wrong(&self, name: &'static str, value: &str, right: String) -> SpecError {
        SpecError::Value {
            agent: self.agent,
            name,
            value: value.to_string(),
            right,
        }
    }

    /// Checks that all parameters were read.
    ///
    /// # Errors
    /// If the agent does not have a given parameter.
    pub(super) fn finish(self) -> Result<(), SpecError> {
        match self.given.first() {
            None => Ok(()),
            Some((name, _)) => Err(SpecError::UnknownParameter {
                agent: self.agent,
                name: name.to_string(),
                known: if self.known.is_empty() {
                    "has none".to_string()
                } else {
                    format!("has {}", self.known.join(", "))
                },
            }),
        }
    }
}
