//! The core's tests as one program, so that what they share is compiled and linked once.

mod batch;
mod budget;
mod dialects;
mod fit;
mod json;
mod marks;
mod messages;
mod prefix;
mod same;
mod stage;
mod streams;
mod text;
mod window;
