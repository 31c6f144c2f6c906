//! The core's tests as one program, so that shared code is compiled and linked once.

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
