const NAMES = ["January", "February", "March", "April", "May", "June"];
NAMES.push("July", "August", "September", "October", "November", "December");
export const monthName = (month) => NAMES[month - 1];
